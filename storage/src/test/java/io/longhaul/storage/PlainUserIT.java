package io.longhaul.storage;

import org.junit.jupiter.api.Test;

/** What a disk does for a user who is held to permissions. */
class PlainUserIT {
    @Test
    void shouldDoTheSameForAUserWithoutRootsRights() throws Exception {
        PlainUser.run(RealDiskTest.class.getName(), OddModesTest.class.getName(), ForbiddenPathTest.class.getName());
    }
}
