package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WriteQueueTest {
    private static final int MIB = 1024 * 1024;
    private final List<Boolean> told = new ArrayList<>();

    private final PtcpListener listener = new PtcpListener() {
        @Override
        public void received(ByteBuf bytes) {}

        @Override
        public void writabilityChanged(boolean writable) {
            told.add(writable);
        }

        @Override
        public void closed(@Nullable PtcpException cause) {}
    };

    /** Has memory for so many buffers, then once none, then enough. */
    private static final class Short extends AbstractByteBufAllocator {
        private int left;

        Short(int left) {
            super(true);
            this.left = left;
        }

        @Override
        protected ByteBuf newDirectBuffer(int initial, int most) {
            if (left-- == 0) {
                throw new OutOfMemoryError("of a test");
            }
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(initial, most);
        }

        @Override
        protected ByteBuf newHeapBuffer(int initial, int most) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initial, most);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @Test
    void shouldTakeMoreAgainWhenThereWasNoMemoryForAMoment() {
        // given
        ResendRoom room = new ResendRoom(8 * MIB, 8 * MIB, new WindowBudget(0));
        Splitter splitter = new Splitter(MIB, room, 8 * MIB, UnpooledByteBufAllocator.DEFAULT);
        Sender sender = new Sender(splitter, () -> 0);
        WriteQueue queue = new WriteQueue(splitter, listener);
        queue.add(Unpooled.buffer(6 * MIB).writeZero(6 * MIB));
        queue.collect(false);
        queue.pump(sender);
        assertThat(told).containsExactly(false);
        EmbeddedChannel socket = new EmbeddedChannel();
        socket.config().setAllocator(new Short(4));
        socket.config().setWriteBufferHighWaterMark(8 * MIB);
        sender.add(new DataChannel(1, socket, null, 0, 1));

        // when
        assertThatThrownBy(() -> queue.pump(sender)).isInstanceOf(OutOfMemoryError.class);
        queue.pump(sender);

        // then
        assertThat(splitter.queuedBytes()).isZero();
        assertThat(told).containsExactly(false, true);
        assertThat(queue.isWritable()).isTrue();
        socket.finishAndReleaseAll();
        splitter.release();
    }
}
