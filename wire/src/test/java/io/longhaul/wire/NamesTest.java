package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"climate.daily", "a", "A-1_b.c-_", "0", "a.-", "a._"})
    void shouldTakeATopic(String topic) {
        assertThat(Names.topic(topic)).isSameAs(topic);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "a.", ".a", "a..b", "a b", "a/b", "a*", "#", "a.#", "a@b", "-a", "ä", "a\n", "a\0", "a:b"
            })
    void shouldRefuseATopicWhenItIsNoWordsWithDots(String topic) {
        assertThatThrownBy(() -> Names.topic(topic)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseNamesWhenTheyAreTooLong() {
        assertThat(Names.topic("t".repeat(200))).hasSize(200);
        assertThatThrownBy(() -> Names.topic("t".repeat(201))).isInstanceOf(WireException.class);
        assertThat(Names.agent("a".repeat(100))).hasSize(100);
        assertThatThrownBy(() -> Names.agent("a".repeat(101))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Names.subscription("s".repeat(10_000_000))).isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".a", "a@b", "a/b", "a b", "..", "é", "a\n"})
    void shouldRefuseAnAgentOrSubscriptionWhenItIsNoName(String name) {
        assertThatThrownBy(() -> Names.agent(name)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Names.subscription(name)).isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a/b/c",
                "with blank",
                " ",
                "new\nline",
                "tab\t",
                "ünïcödé/日本語/😀",
                "...",
                "..a",
                "a..",
                ".hidden",
                "-rf",
                "a\\b",
                "C:",
                "~",
                "*",
                "\u202e"
            })
    void shouldTakeAPath(String path) {
        assertThat(Names.path(path)).isSameAs(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "//",
                "a//b",
                ".",
                "..",
                "./a",
                "../a",
                "a/.",
                "a/..",
                "a/../b",
                "a/./b",
                "a\0",
                "\0",
                "\ud800",
                "a\udc00b",
                "\udc00\ud800"
            })
    void shouldRefuseAPathWhenItMayLeaveItsDirectoryOrIsNoName(String path) {
        assertThatThrownBy(() -> Names.path(path)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldCountBytesWhenAPathIsLong() {
        // given
        String component = "é".repeat(127) + "e";
        String longest = (component + "/").repeat(16);

        // when, then
        assertThat(Names.path(component)).hasSize(128);
        assertThatThrownBy(() -> Names.path(component + "e")).hasMessageContaining("a component of 256 bytes");
        assertThat(Names.path("日".repeat(85))).hasSize(85);
        assertThatThrownBy(() -> Names.path("日".repeat(85) + "e")).hasMessageContaining("a component of 256 bytes");
        assertThat(Names.path("😀".repeat(63) + "abc")).hasSize(129);
        assertThatThrownBy(() -> Names.path("😀".repeat(64))).hasMessageContaining("a component of 256 bytes");
        assertThat(Names.path(longest.substring(0, longest.length() - 1))).isNotEmpty();
        assertThatThrownBy(() -> Names.path(longest + "ab"))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("4098");
    }

    @Test
    void shouldEscapeWhenTextIsNotHarmless() {
        assertThat(Names.shown("plain 'text' ä 😀")).isEqualTo("\"plain 'text' ä 😀\"");
        assertThat(Names.shown("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
        assertThat(Names.shown("\n\r\t\u001b[31m\u007f\u0085"))
                .isEqualTo("\"\\n\\u000d\\u0009\\u001b[31m\\u007f\\u0085\"");
        assertThat(Names.shown("\u202e\u200b\u2066\u2028\u2029\ufeff"))
                .isEqualTo("\"\\u202e\\u200b\\u2066\\u2028\\u2029\\ufeff\"");
        assertThat(Names.shown("\ud800x")).isEqualTo("\"\\ud800x\"");
        assertThat(Names.shown("x\udc00")).isEqualTo("\"x\\udc00\"");
        assertThat(Names.shown(new StringBuilder().appendCodePoint(0xE0041).toString()))
                .isEqualTo("\"\\U000e0041\"");
    }

    @Test
    void shouldCutBetweenCharactersWhenTextIsLong() {
        assertThat(Names.shown("x".repeat(201))).isEqualTo("\"" + "x".repeat(200) + "\"...");
        assertThat(Names.shown("😀".repeat(200))).isEqualTo("\"" + "😀".repeat(200) + "\"");
        assertThat(Names.shown("x" + "😀".repeat(200))).isEqualTo("\"x" + "😀".repeat(199) + "\"...");
    }
}
