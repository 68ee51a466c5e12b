package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.Unpooled;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a merger holds, of whom, and how that makes its window. */
final class HeldBytesTest extends MergerCase {
    @Test
    void shouldRefuseWhenThereAreTooManyGaps() {
        // given
        byte[] stream = new byte[WINDOW];
        Merger merger = new Merger(window(), () -> true);
        for (int i = 0; i < 1024; i++) {
            merger.offer(2L * i + 1, part(stream, 2 * i + 1, 1));
        }

        // when then
        assertThatThrownBy(() -> merger.offer(5000, part(stream, 5000, 1)))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("gaps");
        merger.offer(0, part(stream, 0, 1));
        merger.release();
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }

    /** Its greatest window would let it hold many times more gaps than what it carries is worth. */
    @Test
    void shouldCountGapsByTheWindowThatItHas() {
        // given
        byte[] stream = new byte[WINDOW];
        Merger merger = new Merger(new Window(WINDOW, 1L << 30, new WindowBudget(1L << 32), () -> 0), () -> true);

        // when then
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2000; i++) {
                        merger.offer(2L * i + 1, part(stream, 2 * i + 1, 1));
                    }
                })
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("1024 gaps");
        merger.release();
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }

    /** A byte at the far end of the window each time would make it great for next to nothing. */
    @Test
    void shouldGrowWithBytesThatCameAndNotWithGaps() {
        // given
        byte[] stream = new byte[WINDOW];
        Window window = new Window(WINDOW, 1L << 30, new WindowBudget(1L << 32), () -> 0);
        Merger merger = new Merger(window, () -> true);

        // when
        for (int i = 0; i < 5; i++) {
            merger.offer(merger.limit() - 1, part(stream, 0, 1));
        }

        // then
        assertThat(merger.windowBytes()).isLessThan(WINDOW + 100);
        merger.release();
    }

    @Test
    void shouldRefuseFewerGapsWhenTheUserIsNotKnown() {
        // given
        byte[] stream = new byte[WINDOW];
        Merger merger = new Merger(window(), () -> false);
        for (int i = 0; i < 128; i++) {
            merger.offer(2L * i + 1, part(stream, 2 * i + 1, 1));
        }

        // when then
        assertThatThrownBy(() -> merger.offer(5000, part(stream, 5000, 1)))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("128 gaps");
        merger.release();
    }

    /** One stream that stands would stop all others, whose TCP then begins small again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetMoreComeWhileItWaitsForAGapUnlessNobodyReads(boolean parked) {
        // given
        Window window = new Window(WINDOW, 16L * WINDOW, new WindowBudget(64L * WINDOW), () -> 0);
        Merger merger = new Merger(window, () -> true);
        merger.setParked(parked);

        // when
        merger.offer(1, part(new byte[WINDOW], 0, WINDOW / 2));

        // then
        assertThat(merger.limit()).isEqualTo(parked ? WINDOW : 3L * WINDOW);
        merger.release();
    }

    @Test
    void shouldHoldNextToNothingWhenTheUserIsNotKnown() {
        // given
        byte[] stream = new byte[WINDOW];
        AtomicBoolean trusted = new AtomicBoolean();
        Merger merger = new Merger(window(), trusted::get);

        // when then
        merger.offer(1, part(stream, 1, 65_535));
        assertThatThrownBy(() -> merger.offer(65_536, part(stream, 65_536, 1)))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("beyond the window at 65536 of a session whose user is not known");
        merger.offer(0, part(stream, 0, 1));
        drain(merger, Unpooled.buffer());
        merger.offer(65_536, part(stream, 65_536, 65_536));
        drain(merger, Unpooled.buffer());
        trusted.set(true);
        merger.offer(140_000, part(stream, 140_000, 100_000));
        merger.release();
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }
}
