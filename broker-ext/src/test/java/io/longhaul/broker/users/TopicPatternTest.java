package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPatternTest {
    @ParameterizedTest
    @CsvSource({
        "climate.daily, climate.daily, true",
        "climate.daily, climate.daily.x, false",
        "climate.daily, climate, false",
        "climate.*, climate.daily, true",
        "climate.*, climate, false",
        "climate.*, climate.daily.x, false",
        "*.daily, climate.daily, true",
        "climate.#, climate, true",
        "climate.#, climate.daily.x, true",
        "climate.#, climates, false",
        "#, anything.at.all, true"
    })
    void shouldMatchWordByWord(String pattern, String topic, boolean expected) {
        // when then
        assertThat(new TopicPattern(pattern).matches(topic)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", "#.a", "a.#.b", "a b", "cli*", "a..b"})
    void shouldRefuseWhatIsNoPattern(String text) {
        // when then
        assertThatThrownBy(() -> new TopicPattern(text))
                .hasMessageContaining("topic pattern: expected")
                .hasMessageEndingWith("found \"" + text + "\"");
    }
}
