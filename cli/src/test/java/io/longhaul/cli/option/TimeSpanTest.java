package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeSpanTest {

    @ParameterizedTest
    @CsvSource({
        "500ms,PT0.5S",
        "30s,PT30S",
        "5m,PT5M",
        "1h,PT1H",
        "2d,PT48H",
        "1h30m,PT1H30M",
        "1m 5s,PT1M5S",
        "0s,PT0S"
    })
    void shouldReadDurationWhenUnitsAreKnown(String text, Duration expected) {
        // when
        Duration duration = TimeSpan.parse(text);

        // then
        assertThat(duration).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-5s", "1.5h", "5 minutes", "PT5S"})
    void shouldNameExpectedFormWhenDurationIsMalformed(String text) {
        // then
        assertThatThrownBy(() -> TimeSpan.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a duration like 500ms, 30s, 5m or 1h, found '" + text + "'");
    }

    @Test
    void shouldRefuseWhenDurationIsAbsurd() {
        // then
        assertThatThrownBy(() -> TimeSpan.parse("999999999999d")).isInstanceOf(IllegalArgumentException.class);
    }
}
