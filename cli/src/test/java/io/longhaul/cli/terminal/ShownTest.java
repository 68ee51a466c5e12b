package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShownTest {

    @Test
    void shouldEscapeWhenTextCouldMoveTheCursor() {
        // then
        assertThat(Shown.quoted("a\u001b[2Jb\nc\t\"\\\u202ed\ud800"))
                .isEqualTo("\"a\\u001b[2Jb\\nc\\u0009\\\"\\\\\\u202ed\\ud800\"");
    }

    @Test
    void shouldKeepTextWhenItIsLongAndForeign() {
        // given
        String text = "naïve 文件 🚀 ".repeat(100);

        // then
        assertThat(Shown.quoted(text)).isEqualTo('"' + text + '"');
    }

    @ParameterizedTest
    @CsvSource({"abc,3", "文件,4", "e\u0301,1", "🚀,2", "'',0"})
    void shouldCountColumnsWhenCharactersAreWideOrCombining(String text, int columns) {
        // then
        assertThat(Shown.columns(text)).isEqualTo(columns);
    }

    @ParameterizedTest
    @CsvSource({
        "abcdefghij,10,abcdefghij",
        "abcdefghij,9,abc..ghij",
        "abcdefghij,6,ab..ij",
        "abcdefghij,2,..",
        "abcdefghij,1,''",
        "文件文件文件,7,文..件"
    })
    void shouldCutTheMiddleWhenTextIsTooWide(String text, int columns, String fitted) {
        // then
        assertThat(Shown.fitted(text, columns)).isEqualTo(fitted);
        assertThat(Shown.columns(Shown.fitted(text, columns))).isLessThanOrEqualTo(columns);
    }
}
