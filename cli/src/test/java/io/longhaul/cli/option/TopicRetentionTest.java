package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.Retention;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicRetentionTest {
    @Test
    void shouldAddUpWhenTimeAndSizeAreGiven() {
        // given
        TopicRetention time = TopicRetention.parse("climate.daily=30d");
        TopicRetention size = TopicRetention.parse("climate.daily=5GiB");

        // when
        Retention retention = size.addTo(time.addTo(Retention.FOR_EVER));

        // then
        assertThat(time.topic()).isEqualTo("climate.daily");
        assertThat(retention.longest()).contains(Duration.ofDays(30));
        assertThat(retention.mostBytes()).hasValue(5L << 30);
    }

    @Test
    void shouldTakeUnitsOfSizesInAnyCase() {
        assertThat(TopicRetention.parse("t=5gib")).isEqualTo(TopicRetention.parse("t=5GiB"));
        assertThat(TopicRetention.parse("t=30d").mostBytes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "t", "t=", "=30d", "t=30", "t=5XB", "no topic=5d", "t=0d", "t=0ms", "t=0B"})
    void shouldNameExpectedFormWhenMalformed(String text) {
        assertThatThrownBy(() -> TopicRetention.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("TOPIC=TIME");
    }
}
