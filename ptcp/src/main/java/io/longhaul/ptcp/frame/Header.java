package io.longhaul.ptcp.frame;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;

/**
 * What every frame begins with, on control and data channels; big-endian.
 *
 * <pre>
 *  0      1          4        8               16
 * +------+----------+--------+---------------+------------------
 * | type | reserved | length | position      | length bytes ...
 * +------+----------+--------+---------------+------------------
 * </pre>
 *
 * @param type kind of frame
 * @param length bytes that follow
 * @param position of a packet: place of its first byte in the stream, from 0; else a value that the type explains
 */
public record Header(FrameType type, int length, long position) {
    /** Length on the wire, bytes. */
    public static final int BYTES = 16;

    /** Writes the bytes. */
    public void write(ByteBuf out) {
        out.writeInt(type.code() << 24).writeInt(length).writeLong(position);
    }

    /** Reads {@value #BYTES} bytes; throws {@link PtcpException} PROTOCOL, also when {@code most} is exceeded. */
    public static Header read(ByteBuf in, int most) {
        int first = in.readInt();
        int length = in.readInt();
        long position = in.readLong();
        FrameType type = FrameType.of(first >>> 24);
        if (type == null) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, "a frame of unknown type " + (first >>> 24));
        }
        if (length < 0 || length > most) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a frame " + type + " of " + Integer.toUnsignedString(length) + " bytes, expected 0.." + most);
        }
        if (position < 0) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, "a frame " + type + " with position " + position);
        }
        return new Header(type, length, position);
    }
}
