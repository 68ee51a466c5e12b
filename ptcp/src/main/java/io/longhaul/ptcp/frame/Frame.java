package io.longhaul.ptcp.frame;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** A frame of the control channel. Packets are not frames of this kind: their bytes never become an object. */
public sealed interface Frame {
    /** Most bytes after the {@link Header}. */
    int MOST_BYTES = 256;

    /** Returns its kind. */
    FrameType type();

    /** Returns the value that its header carries; the table of the protocol says which. */
    long position();

    /** Asks for a sign of life; the token comes back. */
    record Ping(long token) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.PING;
        }

        @Override
        public long position() {
            return token;
        }
    }

    /** The answer to {@link Ping}. */
    record Pong(long token) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.PONG;
        }

        @Override
        public long position() {
            return token;
        }
    }

    /**
     * Says how far the stream came.
     *
     * @param next position of the first byte that was not received in order
     * @param limit position that the sender must not reach, what the reader took and the window, and all that the sender
     *     has {@linkplain GiveBack given back} on top
     */
    record Ack(long next, long limit) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.ACK;
        }

        @Override
        public long position() {
            return next;
        }
    }

    /** Asks the opener for a number of data channels; the greater of both ends' wishes holds. */
    record Streams(int wanted) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.STREAMS;
        }

        @Override
        public long position() {
            return wanted;
        }
    }

    /** Says that a data channel is dead, which the other end may not see. */
    record Lost(int number) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.LOST;
        }

        @Override
        public long position() {
            return number;
        }
    }

    /** Says that a data channel gets no new packets and is closed soon. */
    record Retire(int number) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.RETIRE;
        }

        @Override
        public long position() {
            return number;
        }
    }

    /** Says that the stream ends at a position. */
    record Close(long position) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.CLOSE;
        }
    }

    /** Says how much of its limits the sender of this frame gives back, in total. */
    record GiveBack(long bytes) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.GIVE_BACK;
        }

        @Override
        public long position() {
            return bytes;
        }
    }

    /** Ends the session at once. */
    record Abort(String reason) implements Frame {
        @Override
        public FrameType type() {
            return FrameType.ABORT;
        }

        @Override
        public long position() {
            return 0;
        }
    }

    /** Writes the bytes. */
    default void write(ByteBuf out) {
        if (this instanceof Ack ack) {
            new Header(type(), Long.BYTES, position()).write(out);
            out.writeLong(ack.limit);
        } else if (this instanceof Abort abort) {
            byte[] ascii = abort.reason.getBytes(StandardCharsets.US_ASCII);
            int length = Math.min(ascii.length, MOST_BYTES);
            new Header(type(), length, position()).write(out);
            out.writeBytes(ascii, 0, length);
        } else {
            new Header(type(), 0, position()).write(out);
        }
    }

    /** Reads what follows a header; throws {@link PtcpException} PROTOCOL. */
    static Frame read(Header header, ByteBuf body) {
        int expected = switch (header.type()) {
            case ACK -> Long.BYTES;
            case ABORT, DATA -> header.length();
            case PING, PONG, STREAMS, LOST, RETIRE, CLOSE, GIVE_BACK -> 0;
        };
        if (header.length() != expected) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a frame " + header.type() + " of " + header.length() + " bytes, expected " + expected);
        }
        long value = header.position();
        return switch (header.type()) {
            case PING -> new Ping(value);
            case PONG -> new Pong(value);
            case ACK -> new Ack(value, body.readLong());
            case STREAMS -> new Streams(small(header));
            case LOST -> new Lost(small(header));
            case RETIRE -> new Retire(small(header));
            case CLOSE -> new Close(value);
            case GIVE_BACK -> new GiveBack(value);
            case ABORT ->
                new Abort(body.readCharSequence(header.length(), StandardCharsets.US_ASCII)
                        .toString()
                        .replaceAll("[^ -~]", "?"));
            case DATA -> throw new PtcpException(PtcpException.Code.PROTOCOL, "a packet on the control channel");
        };
    }

    private static int small(Header header) {
        if (header.position() > Integer.MAX_VALUE) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a frame " + header.type() + " with " + header.position() + ", expected a number of channels");
        }
        return (int) header.position();
    }
}
