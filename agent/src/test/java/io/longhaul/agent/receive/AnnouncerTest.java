package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncerTest {
    private static final Delivered DELIVERED = new Delivered(
            new Receipt(
                    new TransferId(7, 1),
                    "climate.daily",
                    "mirror-1",
                    "site-b",
                    Receipt.Outcome.DELIVERED,
                    10,
                    "ab".repeat(32),
                    "rain.nc",
                    0,
                    "",
                    Optional.empty()),
            "rain.nc",
            Path.of("rain.nc"),
            1,
            0,
            0,
            0);

    /** Fails in the way that is asked for, also with an error, as of a class that is not there. */
    private static SubscriptionListener failing(boolean error) {
        return delivered -> {
            if (error) {
                throw new NoClassDefFoundError("com/example/Index");
            }
            throw new IllegalStateException("index is closed");
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWhenListenerFails(boolean error) {
        // given
        Announcer announcer = new Announcer(Runnable::run, failing(error), "the listener");
        AtomicBoolean told = new AtomicBoolean();

        // when
        announcer.ended(DELIVERED, () -> told.set(true));

        // then
        assertThat(told).isTrue();
    }
}
