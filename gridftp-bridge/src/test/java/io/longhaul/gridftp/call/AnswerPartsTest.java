package io.longhaul.gridftp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswerPartsTest {
    private static final String LONG = "0123456789".repeat(AnswerParts.PART_TEXT / 4);

    @Test
    void shouldBeWholeWhenPartsComeInAnyOrderAndTwice() {
        // given
        List<String> texts = AnswerParts.split(LONG);
        AnswerParts parts = new AnswerParts();
        assertThat(texts).hasSize(3);

        // then
        assertThat(parts.add(2, 3, texts.get(2))).isEmpty();
        assertThat(parts.add(0, 3, texts.get(0))).isEmpty();
        assertThat(parts.add(0, 3, texts.get(0))).isEmpty();
        assertThat(AnswerParts.joined(parts.add(1, 3, texts.get(1)))).isEqualTo(LONG);
    }

    @Test
    void shouldNotMixWhenTheAnswerWasComputedTwice() {
        List<String> first = AnswerParts.split(LONG);
        List<String> second = AnswerParts.split(LONG.replace('9', '8'));
        AnswerParts parts = new AnswerParts();

        parts.add(0, 3, first.get(0));
        parts.add(1, 3, first.get(1));

        assertThat(parts.add(2, 3, second.get(2))).isEmpty();
        assertThat(parts.add(1, 3, second.get(1))).isEmpty();
        assertThat(AnswerParts.joined(parts.add(0, 3, second.get(0)))).isEqualTo(LONG.replace('9', '8'));
    }

    @Test
    void shouldRefuseWhenAPartIsDamagedOrTooLarge() {
        List<String> texts = AnswerParts.split(LONG);
        AnswerParts parts = new AnswerParts();
        parts.add(0, 3, texts.get(0));
        parts.add(1, 3, texts.get(1).replace("0123456789012", "0123456789013"));

        assertThatThrownBy(() -> AnswerParts.joined(parts.add(2, 3, texts.get(2))))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("CRC-32C");
        assertThatThrownBy(() -> parts.add(0, 1_000_000, "01234567")).isInstanceOf(CallException.class);
        assertThatThrownBy(() -> parts.add(0, 2, "0")).isInstanceOf(CallException.class);
    }
}
