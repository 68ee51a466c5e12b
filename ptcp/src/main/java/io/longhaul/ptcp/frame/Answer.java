package io.longhaul.ptcp.frame;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * What the acceptor says to a {@link Greeting}; big-endian. A refusal has a text in the place of all after byte 8, so
 * that it reads the same in every version.
 *
 * <pre>
 *  0               4         5        6              7          8            24       28       32       40       72
 * +---------------+---------+--------+--------------+----------+------------+--------+--------+--------+--------+
 * | "PTCP"        | version | status | capabilities | reserved | session id | number | packet | window | secret |
 * +---------------+---------+--------+--------------+----------+------------+--------+--------+--------+--------+
 * |                                                            | text of a refusal, ASCII, then zeros           |
 * +------------------------------------------------------------+------------------------------------------------+
 * </pre>
 *
 * @param version the version that both will speak
 * @param session the session's name
 * @param number of a new session: most data channels that the acceptor allows
 * @param packetBytes of a new session: largest packet that the acceptor takes
 * @param windowBytes of a new session: the acceptor's window
 * @param secret of a new session; else random bytes
 */
public record Answer(int version, SessionId session, int number, int packetBytes, long windowBytes, Secret secret) {
    /** Length on the wire, bytes. */
    public static final int BYTES = Greeting.BYTES;

    private static final int HEAD_BYTES = 8;
    private static final int ACCEPTED = 0;

    /** Why a greeting is refused, as a number on the wire. */
    public enum Refusal {
        /** No version in common. */
        VERSION(1, PtcpException.Code.VERSION),
        /** A greeting that makes no sense. */
        PROTOCOL(2, PtcpException.Code.REFUSED),
        /** No such session, a wrong proof, or a number that was used before: the answer does not tell which. */
        UNKNOWN(3, PtcpException.Code.REFUSED),
        /** The acceptor has as many sessions or channels as it may have. */
        FULL(4, PtcpException.Code.FULL);

        private final int status;
        private final PtcpException.Code code;

        Refusal(int status, PtcpException.Code code) {
            this.status = status;
            this.code = code;
        }

        /** Returns the refusal for a greeting that could not be read. */
        public static Refusal of(PtcpException.Code code) {
            return code == PtcpException.Code.VERSION ? VERSION : PROTOCOL;
        }
    }

    /** Writes the bytes. */
    public void write(ByteBuf out) {
        out.writeInt(Greeting.MAGIC).writeByte(version).writeByte(ACCEPTED).writeShort(0);
        session.write(out);
        out.writeInt(number).writeInt(packetBytes).writeLong(windowBytes);
        secret.write(out);
    }

    /** Writes a refusal; a text beyond 64 bytes is cut. */
    public static void refuse(ByteBuf out, Refusal refusal, String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        int length = Math.min(ascii.length, BYTES - HEAD_BYTES);
        out.writeInt(Greeting.MAGIC).writeByte(0).writeByte(refusal.status).writeShort(0);
        out.writeBytes(ascii, 0, length).writeZero(BYTES - HEAD_BYTES - length);
    }

    /** Reads {@value #BYTES} bytes; throws {@link PtcpException}: STRANGER, or what the refusal says. */
    public static Answer read(ByteBuf in) {
        int magic = in.readInt();
        if (magic != Greeting.MAGIC) {
            throw new PtcpException(
                    PtcpException.Code.STRANGER,
                    "an answer that is not parallel TCP: expected \"PTCP\", found 0x" + Integer.toHexString(magic));
        }
        int version = in.readUnsignedByte();
        int status = in.readUnsignedByte();
        in.skipBytes(2);
        if (status != ACCEPTED) {
            String text = in.readCharSequence(BYTES - HEAD_BYTES, StandardCharsets.US_ASCII)
                    .toString()
                    .replaceAll("[^ -~]", "");
            PtcpException.Code code = Stream.of(Refusal.values())
                    .filter(refusal -> refusal.status == status)
                    .map(refusal -> refusal.code)
                    .findFirst()
                    .orElse(PtcpException.Code.REFUSED);
            throw new PtcpException(code, "refused: " + text);
        }
        if (version < Version.OLDEST || version > Version.NEWEST) {
            throw new PtcpException(
                    PtcpException.Code.VERSION,
                    "the acceptor chose version " + version + ", the opener speaks versions " + Version.OLDEST + ".."
                            + Version.NEWEST);
        }
        return new Answer(version, SessionId.read(in), in.readInt(), in.readInt(), in.readLong(), Secret.read(in));
    }
}
