package io.longhaul.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * An entry as bytes, big-endian.
 *
 * <pre>
 *  0        8     9     11              19        27       29      29+p     31+p
 * +--------+-----+------+---------------+---------+--------+-------+--------+--------+
 * | number | type| mode | modifiedNanos | length  | p: u16 | path  | t: u16 | target |
 * +--------+-----+------+---------------+---------+--------+-------+--------+--------+
 *   8        1     2      8               8         2        p       2        t
 * </pre>
 */
public final class EntryCodec {
    private static final int FIXED_BYTES = 31;

    private EntryCodec() {}

    public static byte[] encode(Entry entry) {
        byte[] path = entry.path().getBytes(StandardCharsets.UTF_8);
        byte[] target = entry.target().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_BYTES + path.length + target.length)
                .putLong(entry.number())
                .put((byte) entry.type().code())
                .putShort((short) entry.mode())
                .putLong(entry.modifiedNanos())
                .putLong(entry.length())
                .putShort((short) path.length)
                .put(path)
                .putShort((short) target.length)
                .put(target)
                .array();
    }

    /** Reads one entry and leaves the buffer behind it; throws {@link WireException} when it breaks any rule. */
    public static Entry decode(ByteBuffer in) {
        try {
            long number = in.getLong();
            EntryType type = EntryType.of(in.get());
            int mode = in.getShort();
            long modifiedNanos = in.getLong();
            long length = in.getLong();
            String path = text(in);
            return new Entry(number, path, type, mode, modifiedNanos, length, text(in));
        } catch (BufferUnderflowException e) {
            throw new WireException("entry: expected more bytes, found its end", e);
        }
    }

    private static String text(ByteBuffer in) {
        int length = in.getShort() & 0xFFFF;
        if (length > Names.MAX_PATH_BYTES || length > in.remaining()) {
            throw new WireException("entry: expected a text of at most "
                    + Math.min(Names.MAX_PATH_BYTES, in.remaining()) + " bytes, found length " + length);
        }
        ByteBuffer bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new WireException("entry: expected valid UTF-8", e);
        }
    }
}
