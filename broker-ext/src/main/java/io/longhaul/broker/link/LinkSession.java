package io.longhaul.broker.link;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.FrameAssembler;
import io.longhaul.ptcp.artemis.FrameGuard;
import io.longhaul.ptcp.artemis.TimeLimit;
import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One session of a link: frames over a parallel-TCP session.
 *
 * <p>What is sent may come from any thread and does not block. Frames are short until {@link #trust} is called, and the
 * session ends when it is not within ten seconds.
 */
public final class LinkSession {
    private static final Duration TIME_TO_GREET = Duration.ofSeconds(10);
    private static final Duration TIME_TO_END = Duration.ofMillis(500);
    private final PtcpSession session;
    private final boolean opener;
    private final LinkHandler handler;
    private final TimeLimit greeting = new TimeLimit();
    private volatile boolean trusted;

    private LinkSession(PtcpSession session, boolean opener, LinkHandler handler) {
        this.session = session;
        this.opener = opener;
        this.handler = handler;
    }

    /** Returns the listener of a session that this broker opened. */
    public static PtcpListener opening(PtcpSession session, LinkHandler handler) {
        return new LinkSession(session, true, handler).listener();
    }

    /** Returns the listener of a session that another broker opened, whose stream begins with the magic bytes. */
    public static PtcpListener accepting(PtcpSession session, LinkHandler handler) {
        return new LinkSession(session, false, handler).listener();
    }

    private PtcpListener listener() {
        FrameAssembler assembler = new FrameAssembler(PooledByteBufAllocator.DEFAULT, guard());
        return new PtcpListener() {
            private int magicBytes = opener ? 0 : Integer.BYTES; // still to come
            private boolean over;

            @Override
            public void opened() {
                if (opener) {
                    session.write(Unpooled.copyInt(LinkCodec.MAGIC));
                }
                greeting.start(session, TIME_TO_GREET, "no greeting in " + TIME_TO_GREET.toSeconds() + " s");
                handler.opened(LinkSession.this);
            }

            @Override
            public void received(ByteBuf bytes) {
                int magic = Math.min(magicBytes, bytes.readableBytes());
                magicBytes -= magic;
                bytes.skipBytes(magic);
                assembler.take(bytes, this::frame);
            }

            private void frame(ByteBuf bytes) {
                try {
                    handler.received(LinkSession.this, LinkCodec.decode(bytes));
                } catch (WireException e) {
                    throw new PtcpException(PtcpException.Code.PROTOCOL, String.valueOf(e.getMessage()), e);
                }
            }

            @Override
            public void writabilityChanged(boolean writable) {
                if (writable) {
                    handler.writable(LinkSession.this);
                }
            }

            @Override
            public void closed(@Nullable PtcpException cause) {
                if (!over) {
                    over = true;
                    greeting.end();
                    assembler.release();
                    handler.ended(
                            LinkSession.this,
                            cause == null ? "the other end closed" : String.valueOf(cause.getMessage()));
                }
            }
        };
    }

    private FrameGuard guard() {
        return new FrameGuard() {
            @Override
            public int mostBytes() {
                return trusted ? LinkCodec.MOST_BYTES : LinkCodec.MOST_FIRST_BYTES;
            }

            @Override
            public boolean accepts(ByteBuf frame) {
                return true;
            }

            @Override
            public void trust() {}
        };
    }

    /** Says that the other end is known. */
    public void trust() {
        trusted = true;
        greeting.end();
        session.trust();
    }

    /** Returns whether this broker opened the session. */
    public boolean isOpener() {
        return opener;
    }

    public void send(LinkFrame frame) {
        session.write(LinkCodec.encode(frame, PooledByteBufAllocator.DEFAULT));
    }

    /** Sends a frame that {@link LinkCodec} has written, and takes ownership of the buffer. */
    public void write(ByteBuf frame) {
        session.write(frame);
    }

    /** Runs something after all that is being received now, where the handler is called. */
    public void execute(Runnable task) {
        session.executor().execute(task);
    }

    public boolean isWritable() {
        return session.isWritable();
    }

    /** Holds up the other end, or lets it go on. */
    public void setReading(boolean reading) {
        session.setReading(reading);
    }

    public boolean isOpen() {
        return session.isOpen();
    }

    /** Sends a last frame and ends the session. */
    public void end(LinkFrame last) {
        send(last);
        session.close();
        session.schedule(() -> session.abort("closed"), TIME_TO_END);
    }

    /** Sends what was given and ends the session. */
    public void close() {
        session.close();
    }

    public void abort(String reason) {
        session.abort(reason);
    }

    /** Returns the number of TCP connections that carry data now. */
    public int streams() {
        return session.snapshot().streams().size();
    }

    /** Returns for how long nothing was heard of the other end; empty while it cannot say anything. */
    public OptionalLong silentNanos() {
        long silent = session.snapshot().silentNanos();
        return silent == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(silent);
    }

    /** Returns whether the other end was heard of within some time; it says something every second. */
    public boolean isHeard(Duration within) {
        return session.snapshot().silentNanos() <= within.toNanos();
    }

    /** Returns the other end's address, as its socket writes it. */
    public String remoteAddress() {
        return String.valueOf(session.remoteAddress());
    }

    @Override
    public String toString() {
        return remoteAddress();
    }
}
