package io.longhaul.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One data connection, which outlives the transfers that it carries.
 *
 * <p>Between two transfers at most one read's worth of bytes is kept, which belongs to the next one: a sender need not
 * wait for the reply to its command.
 */
final class DataLink extends ChannelInboundHandlerAdapter {
    /** The system sends what is left, and then the end. */
    private static final int SYSTEM_CLOSES = -1;

    private final Channel channel;
    private boolean ready;
    private boolean isSecured;
    private boolean carried;
    private boolean broken;
    private boolean truncated;
    private boolean hasEnded;
    private boolean isClosed;
    private @Nullable Owner owner;
    private @Nullable CompositeByteBuf held;

    /** The transfer that a link carries, or who waits for one. */
    interface Owner {
        /** The other end is known, and bytes may be sent. */
        void ready(DataLink link);

        /** Bytes, the owner's to release. */
        void bytes(DataLink link, ByteBuf bytes);

        /** More can be written. */
        void writable(DataLink link);

        /** The other end has said under TLS that it sends no more, and may wait for the same word before it goes on. */
        void ended(DataLink link);

        /** The connection is over. */
        void gone(DataLink link);
    }

    DataLink(Channel channel) {
        this.channel = channel;
    }

    Channel channel() {
        return channel;
    }

    /** Returns whether bytes have ever come from the other end, or it has proved who it is. */
    boolean hasCarried() {
        return carried;
    }

    /** Returns whether it has the protection that it should have. */
    boolean isReady() {
        return ready;
    }

    /** Returns whether it was reset, or brought what TLS does not allow. */
    boolean isBroken() {
        return broken;
    }

    /** Returns whether it ended without TLS's own end: anybody on the way may have ended it. */
    boolean isTruncated() {
        return truncated;
    }

    boolean isOpen() {
        return channel.isActive();
    }

    /** Puts protection under the connection, once. */
    void secure(Optional<ChannelHandler> protection) {
        if (isSecured) {
            return;
        }
        isSecured = true;
        if (protection.isPresent()) {
            channel.pipeline().addFirst(protection.get());
        } else {
            ready = true;
        }
    }

    /** Gives what comes to an owner from now on. */
    void attach(Owner next) {
        owner = next;
        if (ready) {
            next.ready(this);
        }
        deliver();
        if (owner == next && channel.isOpen() && held == null) {
            channel.config().setAutoRead(true);
        } else if (!channel.isOpen()) {
            channel.eventLoop().execute(() -> gone(next));
        }
    }

    private void gone(Owner expected) {
        if (owner == expected) {
            expected.gone(this);
        }
    }

    private void deliver() {
        if (held != null && owner != null) {
            ByteBuf bytes = held;
            held = null;
            owner.bytes(this, bytes);
        }
    }

    /** Ends the owner's time; what comes is kept for the next one. */
    void detach() {
        owner = null;
        if (channel.isOpen()) {
            // to see the other end leave
            channel.config().setAutoRead(true);
        }
    }

    /** Keeps bytes for the next owner, who reads them before all others. */
    void hold(ByteBuf bytes) {
        if (isClosed || !bytes.isReadable()) {
            bytes.release();
            return;
        }
        if (held == null) {
            held = channel.alloc().compositeBuffer();
        }
        held.addComponent(true, bytes);
        channel.config().setAutoRead(false);
    }

    /** Returns whether bytes wait for the next owner; the connection itself may be over by then. */
    boolean hasHeld() {
        return held != null;
    }

    /**
     * Lets the other end see a reset, and no end, when this process is killed: who takes the end of the connection for that
     * of the file would have a part of it.
     */
    void resetUnlessClosed() {
        linger(0);
    }

    private void linger(int seconds) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, seconds);
        } catch (ChannelException e) {
            // it is over already
        }
    }

    void close() {
        linger(SYSTEM_CLOSES);
        release();
        channel.close();
    }

    /** Ends it as the kill of this process would: under TLS too there is no end that could be taken for that of the file. */
    void reset() {
        linger(0);
        release();
        Optional.ofNullable(channel.pipeline().firstContext()).ifPresent(ChannelHandlerContext::close);
    }

    private void release() {
        isClosed = true;
        if (held != null) {
            held.release();
            held = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        carried = true;
        if (owner != null && held == null) {
            owner.bytes(this, bytes);
        } else {
            hold(bytes);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                ready = true;
                carried = true;
                if (owner != null) {
                    owner.ready(this);
                }
            } else {
                ctx.close();
            }
        } else if (event instanceof SslCloseCompletionEvent close) {
            if (!close.isSuccess()) {
                truncated = true;
                return;
            }
            hasEnded = true;
            if (owner != null) {
                owner.ended(this);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (owner != null && channel.isWritable()) {
            owner.writable(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (owner != null) {
            owner.gone(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // what comes behind TLS's own end takes nothing back
        broken |= !hasEnded;
        // a reset or a bad record: the end of this connection, of which its owner hears
        ctx.close();
    }
}
