package io.longhaul.agent;

import io.longhaul.storage.PlainUser;
import org.junit.jupiter.api.Test;

/** What permissions allow decides for a user who is held to them. */
class PlainUserIT {
    private static final String RECEIVE = "io.longhaul.agent.receive.";

    @Test
    void shouldReceiveAsAUserWithoutRootsRights() throws Exception {
        PlainUser.run(RECEIVE + "OddModesTest", RECEIVE + "RepeatedPlacingTest", RECEIVE + "HoldingsTest");
    }

    @Test
    void shouldPublishAsAUserWithoutRootsRights() throws Exception {
        PlainUser.run("io.longhaul.agent.publish.PublisherTreeTest");
    }
}
