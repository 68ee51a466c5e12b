package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.limits.Limit;
import org.junit.jupiter.api.Test;

final class LimitTextTest {
    @Test
    void shouldReadAmountsInTheirUnits() {
        // then
        assertThat(LimitText.parse("rate=50MiB, transfers=4,backlog=10GiB,pieces=200")
                        .addTo(Limit.NONE))
                .isEqualTo(new Limit(50L << 20, 4, 10L << 30, 200));
        assertThat(LimitText.parse("pieces=7").addTo(Limit.NONE.with("rate", 3)))
                .isEqualTo(new Limit(3, 0, 0, 7));
        assertThat(TopicLimit.parse("climate.*=rate=1k,pieces=2"))
                .isEqualTo(new TopicLimit("climate.*", LimitText.parse("rate=1000,pieces=2")));
    }

    @Test
    void shouldSayWhatWasExpectedWhenItIsMalformed() {
        // then
        assertThatThrownBy(() -> LimitText.parse("transfer=4"))
                .hasMessage("unknown limit 'transfer'; the nearest is 'transfers'");
        assertThatThrownBy(() -> LimitText.parse("50MiB")).hasMessageContaining("expected limits like rate=50MiB");
        assertThatThrownBy(() -> LimitText.parse("rate=fast")).hasMessageStartingWith("limit rate: expected a size");
        assertThatThrownBy(() -> LimitText.parse("transfers=4k")).hasMessageContaining("expected a whole number");
        assertThatThrownBy(() -> LimitText.parse("rate=1MiB,pieces=2,rate=2MiB"))
                .hasMessage("limit rate: expected once, found twice in 'rate=1MiB,pieces=2,rate=2MiB'");
        assertThatThrownBy(() -> LimitText.parse("transfers=20000")).hasMessageContaining("at most 10000");
        assertThatThrownBy(() -> TopicLimit.parse("climate.*")).hasMessageContaining("expected PATTERN=LIMITS");
        assertThatThrownBy(() -> TopicLimit.parse("a b=rate=1")).hasMessageContaining("topic pattern");
    }
}
