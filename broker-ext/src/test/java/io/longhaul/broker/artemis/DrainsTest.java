package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.BrokerReport;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrainsTest {
    @ParameterizedTest
    @ValueSource(strings = {"hub=", "hub=many", "hub=-8", "hub=99999999999999999999", "hub=8=8", "/hub=8x/"})
    void shouldTakeABadNumberForNothingKnown(String known) {
        assertThat(Drains.include(known, "hub", 7)).isFalse();
        assertThat(Drains.isSound(known)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8", "=8", "/", "hub=8/", "hub=8//far=9", "hub=0"})
    void shouldTellWhatNoBrokerSays(String known) {
        assertThat(Drains.isSound(known)).isFalse();
    }

    @Test
    void shouldFindTheLongestThatBrokersSaySound() {
        // given
        Drains drains = new Drains();
        List<BrokerReport> reports = IntStream.range(100, 300)
                .mapToObj(number ->
                        new BrokerReport("b".repeat(97) + number, 1, 0, 0, List.of(), List.of(), Long.MAX_VALUE, 0))
                .toList();

        // when
        drains.set(reports);

        // then
        assertThat(Drains.isSound(drains.known())).isTrue();
        assertThat(Drains.include(drains.known(), "b".repeat(97) + 100, 7)).isTrue();
    }

    @Test
    void shouldNotReadWhatIsLongerThanBrokersSay() {
        assertThat(Drains.isSound("far=8/".repeat(10_000) + "hub=8")).isFalse();
    }
}
