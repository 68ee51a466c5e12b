package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.witness.WitnessException.Kind;
import org.junit.jupiter.api.Test;

class OutageTest {
    private final Outage outage = new Outage();

    @Test
    void shouldTellOfEachKindOnceUntilThereIsAnAnswer() {
        // then
        assertThat(outage.answered()).isFalse();
        assertThat(outage.failed(Kind.UNREACHABLE)).isTrue();
        assertThat(outage.failed(Kind.REFUSED)).isTrue();
        assertThat(outage.failed(Kind.UNREACHABLE)).isFalse();
        assertThat(outage.failed(Kind.REFUSED)).isFalse();
        assertThat(outage.answered()).isTrue();
        assertThat(outage.answered()).isFalse();
        assertThat(outage.failed(Kind.UNREACHABLE)).isTrue();
    }
}
