package io.longhaul.broker;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long these tests wait for what takes a second on a calm machine. */
public final class Patience {
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT);
    }
}
