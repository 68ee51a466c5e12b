package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Manifest;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TransferId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class RetainedPagesTest {
    private static final String DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private final RetainedPages pages = new RetainedPages();

    private static RetainedAnswer answer(boolean more, long... orders) {
        List<RetainedAnswer.Retained> transfers = LongStream.of(orders)
                .mapToObj(order -> new RetainedAnswer.Retained(order, manifest(order), seal(order)))
                .toList();
        return new RetainedAnswer(1, "t", "s", "archive", transfers, more, false);
    }

    private static Manifest manifest(long order) {
        return new Manifest(new TransferId(1, order), "t", "name" + order, false, 4096, 0, 0644, 0, "p", 0);
    }

    private static Seal seal(long order) {
        return new Seal(new TransferId(1, order), 0, DIGEST, 0, 1);
    }

    private List<Long> next(RetainedAnswer... answers) {
        return pages.next(List.of(answers)).stream()
                .map(RetainedAnswer.Retained::order)
                .toList();
    }

    @Test
    void shouldGoOnBehindThePageWhenThereIsMore() {
        assertThat(next(answer(true, 1, 2))).containsExactly(1L, 2L);
        assertThat(pages.isLast()).isFalse();
        assertThat(pages.afterOrder()).isEqualTo(2);
        assertThat(next(answer(false, 3))).containsExactly(3L);
        assertThat(pages.isLast()).isTrue();
    }

    @Test
    void shouldTakeNothingBehindTheShortestPageWhenArchivesDiffer() {
        assertThat(next(answer(true, 1, 3), answer(false, 2, 5), answer(true, 2, 4)))
                .containsExactly(1L, 2L, 3L);
        assertThat(pages.afterOrder()).isEqualTo(3);
        assertThat(next(answer(false, 4), answer(false, 5))).containsExactly(4L, 5L);
        assertThat(pages.isLast()).isTrue();
    }

    @Test
    void shouldEndWhenAnArchiveSaysMoreAndGivesNothingNew() {
        assertThat(next(answer(true, 1))).containsExactly(1L);
        assertThat(next(answer(true, 1))).isEmpty();
        assertThat(pages.isLast()).isTrue();
    }

    @Test
    void shouldBeginAgainWhenRewound() {
        // given
        next(answer(false, 1));

        // when
        pages.rewind();

        // then
        assertThat(pages.isLast()).isFalse();
        assertThat(next(answer(false, 1, 2))).containsExactly(1L, 2L);
    }
}
