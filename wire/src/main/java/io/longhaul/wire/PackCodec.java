package io.longhaul.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The body of a pack: whole small files, directories and links, one behind the other, each with its own checksum.
 *
 * <pre>
 * +---------------+---------------+-------------------+--------------------+ ...
 * | entry         | crc32c: u32   | content length:   | content            |
 * | (EntryCodec)  | of content    | u32               |                    |
 * +---------------+---------------+-------------------+--------------------+ ...
 * </pre>
 */
public final class PackCodec {
    private static final int FIXED_BYTES = 8;

    private PackCodec() {}

    /**
     * One entry of a pack with its content.
     *
     * @param content the file's bytes, a view of the pack; empty for directories and links
     */
    public record Packed(Entry entry, ByteBuffer content) {}

    /** Returns how many bytes the entry takes in a pack, its content included. */
    public static int size(Entry entry) {
        return EntryCodec.encode(entry).length + FIXED_BYTES + Math.toIntExact(entry.length());
    }

    /** Appends an entry; the content's remaining bytes are its whole content. */
    public static void append(ByteBuffer out, Entry entry, ByteBuffer content) {
        if (content.remaining() != entry.length()) {
            throw new WireException("pack entry " + Names.shown(entry.path()) + ": expected a content of "
                    + entry.length() + " bytes, found " + content.remaining());
        }
        out.put(EntryCodec.encode(entry))
                .putInt(crc(content))
                .putInt(content.remaining())
                .put(content.duplicate());
    }

    /** Reads all entries; throws {@link WireException} when one breaks any rule or its checksum does not match. */
    public static List<Packed> decode(ByteBuffer body) {
        ByteBuffer in = body.duplicate();
        List<Packed> entries = new ArrayList<>();
        try {
            while (in.hasRemaining()) {
                entries.add(decodeOne(in));
            }
        } catch (BufferUnderflowException e) {
            throw new WireException("pack: expected more bytes behind entry " + entries.size() + ", found its end", e);
        }
        return entries;
    }

    private static Packed decodeOne(ByteBuffer in) {
        Entry entry = EntryCodec.decode(in);
        int expected = in.getInt();
        int length = in.getInt();
        if (length != entry.length() || length > in.remaining()) {
            throw new WireException("pack entry " + Names.shown(entry.path()) + ": expected a content of "
                    + entry.length() + " bytes within " + in.remaining() + ", found length " + length);
        }
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        int found = crc(content);
        if (found != expected) {
            throw new WireException(String.format(
                    "pack entry %s: expected CRC-32C %08x, found %08x", Names.shown(entry.path()), expected, found));
        }
        return new Packed(entry, content);
    }

    private static int crc(ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(content.duplicate());
        return (int) crc.getValue();
    }
}
