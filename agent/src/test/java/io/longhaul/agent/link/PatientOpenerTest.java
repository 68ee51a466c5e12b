package io.longhaul.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PatientOpenerTest {
    private static final Inflow FLOW = new Inflow() {
        @Override
        public @Nullable Delivery poll(Duration timeout) {
            return null;
        }

        @Override
        public void acknowledge(Delivery last) {}

        @Override
        public long backlog() {
            return 0;
        }

        @Override
        public void close() {}
    };

    private long nowNs = Long.MAX_VALUE;
    private int tries;

    private PatientOpener patient(Duration patience, Supplier<Inflow> opener) {
        return new PatientOpener(
                () -> {
                    tries++;
                    return opener.get();
                },
                nowNs + patience.toNanos(),
                () -> nowNs,
                time -> nowNs += time.toNanos());
    }

    private static Inflow fail(LinkException.Code code) {
        throw new LinkException(code, "agent name a: no");
    }

    @Test
    void shouldTryAgainWhenTheConnectionWasLostMeanwhile() {
        // given
        PatientOpener opener =
                patient(Duration.ofSeconds(40), () -> tries < 300 ? fail(LinkException.Code.UNREACHABLE) : FLOW);

        // when
        Inflow opened = opener.get();

        // then
        assertThat(opened).isSameAs(FLOW);
    }

    @Test
    void shouldGiveUpWhenItsTimeIsOver() {
        // given
        PatientOpener opener = patient(Duration.ofSeconds(40), () -> fail(LinkException.Code.UNREACHABLE));

        // when then
        assertThatThrownBy(opener::get).hasMessage("agent name a: no");
        assertThat(tries).isEqualTo(401);

        // when then
        assertThatThrownBy(opener::get).hasMessage("agent name a: no");
        assertThat(tries).isEqualTo(402);
    }

    @Test
    void shouldGiveUpAtOnceWhenRefused() {
        // given
        PatientOpener opener = patient(Duration.ofSeconds(40), () -> fail(LinkException.Code.NAME_IN_USE));

        // when then
        assertThatThrownBy(opener::get).hasMessage("agent name a: no");
        assertThat(tries).isEqualTo(1);
    }
}
