package io.longhaul.gridftp.topic;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long these tests wait for what is forced to a disk, of which others may ask much at the same time. */
final class Patience {
    static final int SECONDS = 60;

    private Patience() {}

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(SECONDS));
    }
}
