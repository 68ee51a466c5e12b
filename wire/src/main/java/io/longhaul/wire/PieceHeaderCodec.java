package io.longhaul.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A piece's header as bytes, big-endian, with a checksum of its own.
 *
 * <pre>
 *  0         1      2          18      26       34       38      42            46
 * +---------+------+----------+-------+--------+--------+-------+-------------+-----------------+
 * | version | kind | transfer | index | offset | length | crc   | header crc  | entry (or none) |
 * +---------+------+----------+-------+--------+--------+-------+-------------+-----------------+
 *   1         1      16         8       8        4        4       4             rest
 * </pre>
 *
 * The header crc is the CRC-32C of all the other bytes, in order.
 */
public final class PieceHeaderCodec {
    private static final byte VERSION = 1;
    private static final int CRC_OFFSET = 42;
    private static final int FIXED_BYTES = 46;

    private PieceHeaderCodec() {}

    public static byte[] encode(PieceHeader header) {
        byte[] entry = header.entry().map(EntryCodec::encode).orElse(new byte[0]);
        ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + entry.length)
                .put(VERSION)
                .put((byte) header.kind().code())
                .putLong(header.transfer().high())
                .putLong(header.transfer().low())
                .putLong(header.index())
                .putLong(header.offset())
                .putInt(header.length())
                .putInt(header.crc32c())
                .putInt(0)
                .put(entry);
        return out.putInt(CRC_OFFSET, crc(out.array())).array();
    }

    /** Reads the whole array; throws {@link WireException} when it breaks any rule or the checksum does not match. */
    public static PieceHeader decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < FIXED_BYTES) {
            throw new WireException("piece header: expected at least " + FIXED_BYTES + " bytes, found " + bytes.length);
        }
        if (in.get() != VERSION) {
            throw new WireException("piece header version: expected " + VERSION + ", found " + bytes[0]);
        }
        int found = crc(bytes);
        int expected = in.getInt(CRC_OFFSET);
        if (found != expected) {
            throw new WireException(String.format("piece header: expected CRC-32C %08x, found %08x", expected, found));
        }
        try {
            PieceHeader.Kind kind = PieceHeader.Kind.of(in.get());
            TransferId transfer = new TransferId(in.getLong(), in.getLong());
            long index = in.getLong();
            long offset = in.getLong();
            int length = in.getInt();
            int crc32c = in.getInt();
            in.position(FIXED_BYTES);
            Optional<Entry> entry = in.hasRemaining() ? Optional.of(EntryCodec.decode(in)) : Optional.empty();
            if (in.hasRemaining()) {
                throw new WireException("piece header: expected its end, found " + in.remaining() + " bytes more");
            }
            return new PieceHeader(transfer, index, kind, offset, length, crc32c, entry);
        } catch (BufferUnderflowException e) {
            throw new WireException("piece header: expected more bytes, found its end", e);
        }
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CRC_OFFSET);
        crc.update(bytes, FIXED_BYTES, bytes.length - FIXED_BYTES);
        return (int) crc.getValue();
    }
}
