package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PieceBuffersTest {
    private final Halt halt = new Halt();

    @Test
    void shouldUseBuffersAgainWhenTheyCameBack() throws InterruptedException {
        // given
        PieceBuffers buffers = new PieceBuffers(100);
        ByteBuffer first = buffers.take(40, halt);
        ByteBuffer second = buffers.take(40, halt);
        buffers.release(first.limit(1));

        // when
        ByteBuffer third = buffers.take(40, halt);

        // then
        assertThat(third).isSameAs(first).isNotSameAs(second);
        assertThat(third.remaining()).isEqualTo(40);
        assertThat(buffers.allocatedBytes()).isEqualTo(80);
    }

    @Test
    void shouldDropIdleBuffersWhenAnotherSizeIsWanted() throws InterruptedException {
        // given
        PieceBuffers buffers = new PieceBuffers(100);
        buffers.release(buffers.take(40, halt));

        // when
        ByteBuffer large = buffers.take(90, halt);

        // then
        assertThat(large.capacity()).isEqualTo(90);
        assertThat(buffers.allocatedBytes()).isEqualTo(90);
    }

    @Test
    void shouldWaitUntilReleaseWhenBudgetIsUsedUp() throws InterruptedException {
        // given
        PieceBuffers buffers = new PieceBuffers(100);
        ByteBuffer held = buffers.take(100, halt);
        CompletableFuture<ByteBuffer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return buffers.take(100, halt);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        // when
        buffers.release(held);

        // then
        assertThat(waiting.join()).isSameAs(held);
    }

    @Test
    void shouldStopWaitingWhenHalted() throws InterruptedException {
        // given
        PieceBuffers buffers = new PieceBuffers(100);
        buffers.take(100, halt);

        // when
        halt.request(Halted.cancelled());

        // then
        assertThatThrownBy(() -> buffers.take(100, halt)).isInstanceOf(Halted.class);
    }

    @Test
    void shouldTakeNothingOfTheBudgetWhenThereIsNoMemory() {
        // given
        PieceBuffers buffers = new PieceBuffers(Long.MAX_VALUE);

        // when, then
        assertThatThrownBy(() -> buffers.take(Integer.MAX_VALUE, halt)).isInstanceOf(OutOfMemoryError.class);
        assertThat(buffers.allocatedBytes()).isZero();
    }
}
