package io.longhaul.ptcp.frame;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The first bytes of every TCP connection, from the one that opened it; big-endian.
 *
 * <pre>
 *  0               4        5        6      7              8            24       28       32       40      72
 * +---------------+--------+--------+------+--------------+------------+--------+--------+--------+-------+
 * | "PTCP"        | newest | oldest | kind | capabilities | session id | number | packet | window | proof |
 * +---------------+--------+--------+------+--------------+------------+--------+--------+--------+-------+
 * </pre>
 *
 * @param newest newest version of the protocol that the opener speaks
 * @param oldest oldest one
 * @param kind what the connection is to be
 * @param capabilities bits; unknown ones are ignored
 * @param session {@link SessionId#NONE} for a new one
 * @param number of a new session: most data channels that the opener will use; else the channel's number
 * @param packetBytes of a new session: largest packet that the opener takes; else 0
 * @param windowBytes of a new session: the opener's window; else 0
 * @param proof that the opener knows the session's {@link Secret}; zeros for a new one
 */
public record Greeting(
        int newest,
        int oldest,
        Kind kind,
        int capabilities,
        SessionId session,
        int number,
        int packetBytes,
        long windowBytes,
        byte[] proof) {
    /** Length on the wire, bytes. */
    public static final int BYTES = 72;

    /** First four bytes of greeting and answer: "PTCP". */
    public static final int MAGIC = 0x50544350;

    /** What a connection is to be. */
    public enum Kind {
        /** The control channel of a new session. */
        OPEN(1),
        /** A data channel. */
        JOIN(2),
        /** A control channel in the place of a lost one. */
        RESUME(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        private static Optional<Kind> of(int code) {
            return Stream.of(values()).filter(kind -> kind.code == code).findFirst();
        }
    }

    /** Returns the greeting that asks for a new session. */
    public static Greeting open(int maxStreams, int packetBytes, long windowBytes) {
        return new Greeting(
                Version.NEWEST,
                Version.OLDEST,
                Kind.OPEN,
                0,
                SessionId.NONE,
                maxStreams,
                packetBytes,
                windowBytes,
                new byte[Secret.BYTES]);
    }

    /** Returns the greeting of a further channel of a session. */
    public static Greeting further(Kind kind, SessionId session, int number, Secret secret) {
        return new Greeting(
                Version.NEWEST, Version.OLDEST, kind, 0, session, number, 0, 0, secret.proof(kind, session, number));
    }

    /** Writes the bytes. */
    public void write(ByteBuf out) {
        out.writeInt(MAGIC)
                .writeByte(newest)
                .writeByte(oldest)
                .writeByte(kind.code)
                .writeByte(capabilities);
        session.write(out);
        out.writeInt(number).writeInt(packetBytes).writeLong(windowBytes).writeBytes(proof);
    }

    /** Returns whether the bytes so far, of which there are few, can be the beginning of a greeting. */
    public static boolean mayBegin(ByteBuf in) {
        int seen = Math.min(in.readableBytes(), Integer.BYTES);
        for (int i = 0; i < seen; i++) {
            if (in.getByte(in.readerIndex() + i) != (byte) (MAGIC >>> (24 - 8 * i))) {
                return false;
            }
        }
        return true;
    }

    /** Reads {@value #BYTES} bytes; throws {@link PtcpException} PROTOCOL or VERSION. */
    public static Greeting read(ByteBuf in) {
        int magic = in.readInt();
        if (magic != MAGIC) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, "bytes that are no greeting");
        }
        int newest = in.readUnsignedByte();
        int oldest = in.readUnsignedByte();
        Version.choose(newest, oldest);
        int code = in.readUnsignedByte();
        Kind kind = Kind.of(code)
                .orElseThrow(() -> new PtcpException(
                        PtcpException.Code.PROTOCOL, "a greeting of kind " + code + ", expected 1, 2 or 3"));
        int capabilities = in.readUnsignedByte();
        SessionId session = SessionId.read(in);
        int number = in.readInt();
        int packet = in.readInt();
        long window = in.readLong();
        byte[] proof = new byte[Secret.BYTES];
        in.readBytes(proof);
        return new Greeting(newest, oldest, kind, capabilities, session, number, packet, window, proof);
    }
}
