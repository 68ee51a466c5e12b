package io.longhaul.ptcp.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A connection in memory: what is written at one end comes out of the other in pieces, as late as the test likes. */
final class Wire {
    final End near;
    final End far;

    Wire(ByteBufAllocator allocator, EventLoop loop) {
        near = new End(allocator, loop);
        far = new End(allocator, loop);
    }

    /** One end; its event loop is the test's, since a close would end all timers of its own. */
    static final class End extends EmbeddedChannel implements DuplexChannel {
        private final ByteBuf written;
        private final @Nullable EventLoop loop; // null in the middle of the constructor
        private boolean outputShutdown;

        private End(ByteBufAllocator allocator, EventLoop loop) {
            this.loop = loop;
            config().setAllocator(allocator);
            written = allocator.directBuffer();
            pipeline().addLast(Takeover.GREETING, new ChannelInboundHandlerAdapter());
        }

        private void gather() {
            for (ByteBuf bytes = readOutbound(); bytes != null; bytes = readOutbound()) {
                written.writeBytes(bytes);
                bytes.release();
            }
        }

        @Override
        public EventLoop eventLoop() {
            return loop == null ? super.eventLoop() : loop;
        }

        @Override
        public ChannelFuture shutdownOutput() {
            outputShutdown = true;
            return newSucceededFuture();
        }

        @Override
        public ChannelFuture shutdownOutput(ChannelPromise promise) {
            outputShutdown = true;
            return promise.setSuccess();
        }

        @Override
        public boolean isOutputShutdown() {
            return outputShutdown;
        }

        @Override
        public boolean isInputShutdown() {
            return false;
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public ChannelFuture shutdownInput() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChannelFuture shutdownInput(ChannelPromise promise) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChannelFuture shutdown() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChannelFuture shutdown(ChannelPromise promise) {
            throw new UnsupportedOperationException();
        }
    }

    /** Lets some of what is under way arrive, one way; behind the last of it, that no more comes. */
    void carry(boolean there, int most, RandomGenerator random) {
        End from = there ? near : far;
        End to = there ? far : near;
        from.gather();
        if (to.pipeline().get(Takeover.GREETING) != null) {
            return; // nobody reads there yet
        }
        int left = Math.min(most, from.written.readableBytes());
        while (left > 0 && to.isOpen()) {
            int length = 1 + random.nextInt(left);
            to.writeInbound(from.written.readBytes(length));
            left -= length;
        }
        if (!from.written.isReadable() && (from.outputShutdown || !from.isOpen()) && to.isOpen()) {
            to.close();
        }
    }

    boolean isOpen() {
        return near.isOpen() || far.isOpen();
    }

    /** Ends it; nothing that was under way arrives. */
    void kill() {
        drop(near);
        drop(far);
    }

    private static void drop(End end) {
        end.close();
        end.gather();
        end.written.clear();
    }

    void release() {
        kill();
        near.written.release();
        far.written.release();
    }
}
