package io.longhaul.cli;

import io.longhaul.storage.PlainUser;
import org.junit.jupiter.api.Test;

/** What permissions allow decides for a user who is held to them. */
final class PlainUserIT {
    @Test
    void shouldCheckDeliveriesAsAUserWithoutRootsRights() throws Exception {
        PlainUser.run("io.longhaul.cli.state.DeliveredCheckTest");
    }

    @Test
    void shouldLookAtDirectoriesAsAUserWithoutRootsRights() throws Exception {
        PlainUser.run("io.longhaul.cli.doctor.DataChecksTest");
    }
}
