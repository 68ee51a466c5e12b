package io.longhaul.ptcp.net;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long these tests wait for what should be there soon. */
public final class Patience {
    public static final int SECONDS = 60;

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(SECONDS));
    }
}
