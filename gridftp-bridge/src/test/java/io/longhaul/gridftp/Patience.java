package io.longhaul.gridftp;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long these tests wait for what should be there soon: others may ask much of disk and cores at the same time. */
public final class Patience {
    public static final int SECONDS = 60;

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(SECONDS));
    }
}
