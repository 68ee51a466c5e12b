package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SinceTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "24h,2026-11-20T12:00:00Z",
        "2d,2026-11-19T12:00:00Z",
        "2026-11-01,2026-11-01T00:00:00Z",
        "2026-11-01T06:00:00Z,2026-11-01T06:00:00Z",
        "all,1970-01-01T00:00:00Z"
    })
    void shouldReadTimeWhenItsFormIsKnown(String text, Instant expected) {
        assertThat(Since.parse(text).from(NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "2026-13-01", "2026-11-01T06:00:00", "24", "-1h"})
    void shouldNameExpectedFormsWhenTimeIsMalformed(String text) {
        assertThatThrownBy(() -> Since.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("2026-11-01T06:00:00Z");
    }
}
