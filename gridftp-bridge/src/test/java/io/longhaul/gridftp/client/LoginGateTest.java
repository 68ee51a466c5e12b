package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LoginGateTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger tries = new AtomicInteger();
    private final LoginGate gate = new LoginGate(now::get);

    private void fails(BackendException failure) {
        assertThatThrownBy(() -> gate.pass(() -> {
                    tries.incrementAndGet();
                    throw failure;
                }))
                .hasMessage(failure.getMessage());
    }

    @Test
    void shouldLetManyLogInAtATimeWhenTheLastOneWasTaken() {
        gate.pass(() -> "first");

        assertThat(gate.<String>pass(() -> gate.pass(() -> "within another"))).isEqualTo("within another");
    }

    @Test
    void shouldTryAgainAtOnceWhenTheServerWasOnlyAway() {
        fails(BackendException.away("away", null));
        fails(BackendException.away("away", null));

        assertThat(tries).hasValue(2);
        assertThat(gate.<String>pass(() -> "back")).isEqualTo("back");
    }

    @Test
    void shouldTryAgainAfterAMinuteWhenTheLoginWasRefused() {
        BackendException refused = new BackendException(Code.NOT_LOGGED_IN, "530");
        fails(refused);

        now.addAndGet(Duration.ofSeconds(59).toNanos());
        fails(refused);
        assertThat(tries).hasValue(1);

        now.addAndGet(Duration.ofSeconds(2).toNanos());
        fails(refused);
        assertThat(tries).hasValue(2);
    }

    @Test
    void shouldGoByTheLastLoginWhenAnEarlierOneWasRefusedMeanwhile() {
        // given
        gate.pass(() -> "first");

        // when
        gate.pass(() -> {
            fails(new BackendException(Code.NOT_LOGGED_IN, "530"));
            now.addAndGet(Duration.ofMinutes(2).toNanos());
            fails(new BackendException(Code.NOT_LOGGED_IN, "530"));
            return "late";
        });

        // then
        assertThat(gate.<String>pass(() -> "on")).isEqualTo("on");
    }
}
