package io.longhaul.gridftp.post;

import io.longhaul.gridftp.range.ByteRange;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Bytes of messages, version 1; big-endian. Pure.
 *
 * <pre>
 *          0         1      2
 *         +---------+------+----------------------------------------------------------------------------------------
 *         | version | kind |
 * CALL    |    1    |   1  | call (16), JSON
 * ANSWER  |    1    |   2  | call (16), part (4), parts (4), JSON
 * HAVE    |    1    |   3  | content (16), sealed length or -1 (8), CRC-32C (4), ranges (4), ranges x (from (8), to (8))
 * PULL    |    1    |   4  | content (16), offset (8), length (4)
 * BLOCK   |    1    |   5  | content (16), offset (8), length (4), CRC-32C (4), bytes
 * UNKNOWN |    1    |   6  | content (16)
 *         +---------+------+----------------------------------------------------------------------------------------
 *                          2                18           26          30           34
 * </pre>
 *
 * <p>The CRC-32C of a block is that of the 30 bytes before it and the bytes behind it.
 */
public final class MessageCodec {
    /** The longest range that is pulled at a time. */
    public static final int MAX_BLOCK_BYTES = 1024 * 1024;

    /** The most ranges of one HAVE. */
    public static final int MAX_RANGES = 1000;

    /** What stands before the bytes of a block. */
    public static final int BLOCK_HEADER_BYTES = 34;

    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 2 + Number128.BYTES;
    private static final int CHECKSUM_OFFSET = 30;
    private static final int MAX_PARTS = 1_000_000;

    private MessageCodec() {}

    /** Returns a new buffer with the bytes of a message. */
    public static ByteBuffer encode(Message message) {
        // the records are told apart by their classes: Java 17 has no switch over them
        if (message instanceof Message.Call call) {
            byte[] text = call.text().getBytes(StandardCharsets.UTF_8);
            return start(call.kind(), call.number(), text.length).put(text).flip();
        }
        if (message instanceof Message.Answer answer) {
            byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
            return start(answer.kind(), answer.number(), 8 + text.length)
                    .putInt(answer.part())
                    .putInt(answer.parts())
                    .put(text)
                    .flip();
        }
        if (message instanceof Message.Have have) {
            return encodeHave(have);
        }
        if (message instanceof Message.Pull pull) {
            return start(pull.kind(), pull.content(), 12)
                    .putLong(pull.offset())
                    .putInt(pull.length())
                    .flip();
        }
        if (message instanceof Message.Block block) {
            int length = block.bytes().remaining();
            ByteBuffer out = ByteBuffer.allocate(BLOCK_HEADER_BYTES + length);
            out.position(BLOCK_HEADER_BYTES).put(block.bytes().duplicate());
            return frameBlock(block.content(), block.offset(), block.length(), out.flip());
        }
        return start(message.kind(), ((Message.Unknown) message).content(), 0).flip();
    }

    /**
     * Puts the header of a block before bytes that stand in their place already, so that nobody has to copy them.
     *
     * @param frame with {@value #BLOCK_HEADER_BYTES} bytes for the header at 0, the bytes behind them, and its limit
     *     behind those; no bytes say that all of the range is zero
     * @return the same buffer, from 0
     */
    public static ByteBuffer frameBlock(Number128 content, long offset, int length, ByteBuffer frame) {
        frame.position(0);
        frame.put((byte) VERSION).put((byte) MessageKind.BLOCK.code());
        content.write(frame);
        frame.putLong(offset).putInt(length);
        frame.putInt(CHECKSUM_OFFSET, checksum(frame.position(0)));
        return frame;
    }

    /** Returns the message in these bytes, whose buffers share theirs; throws {@link MessageException}. */
    public static Message decode(ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate();
        expect(in, HEADER_BYTES);
        int start = in.position();
        int version = in.get();
        if (version != VERSION) {
            throw new MessageException("message: expected version " + VERSION + ", found " + version);
        }
        MessageKind kind = MessageKind.of(in.get());
        Number128 number = Number128.read(in);
        return switch (kind) {
            case CALL -> new Message.Call(number, text(in));
            case ANSWER -> answer(number, in);
            case HAVE -> have(number, in);
            case PULL -> {
                expect(in, 12);
                long offset = in.getLong();
                int length = in.getInt();
                checkRange(offset, length);
                yield new Message.Pull(number, offset, length);
            }
            case BLOCK -> block(number, in, bytes.slice(start, bytes.limit() - start));
            case UNKNOWN -> new Message.Unknown(number);
        };
    }

    private static ByteBuffer start(MessageKind kind, Number128 number, int length) {
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + length);
        out.put((byte) VERSION).put((byte) kind.code());
        number.write(out);
        return out;
    }

    private static ByteBuffer encodeHave(Message.Have have) {
        List<ByteRange> ranges = have.ranges();
        if (ranges.size() > MAX_RANGES) {
            throw new MessageException("have: expected at most " + MAX_RANGES + " ranges, found " + ranges.size());
        }
        ByteBuffer out = start(have.kind(), have.content(), 16 + 16 * ranges.size())
                .putLong(have.sealedLength())
                .putInt(have.checksum())
                .putInt(ranges.size());
        ranges.forEach(range -> out.putLong(range.start()).putLong(range.end()));
        return out.flip();
    }

    private static Message.Answer answer(Number128 number, ByteBuffer in) {
        expect(in, 8);
        int part = in.getInt();
        int parts = in.getInt();
        if (parts < 1 || parts > MAX_PARTS || part < 0 || part >= parts) {
            throw new MessageException(
                    "answer: expected a part of 1.." + MAX_PARTS + ", found " + part + " of " + parts);
        }
        return new Message.Answer(number, part, parts, text(in));
    }

    private static Message.Have have(Number128 content, ByteBuffer in) {
        expect(in, 16);
        long sealed = in.getLong();
        int checksum = in.getInt();
        int count = in.getInt();
        if (sealed < -1 || count < 0 || count > MAX_RANGES || in.remaining() != 16 * count) {
            throw new MessageException("have: expected at most " + MAX_RANGES + " ranges, found " + count + " in "
                    + in.remaining() + " bytes, sealed " + sealed);
        }
        List<ByteRange> ranges = new ArrayList<>(count);
        long last = 0;
        for (int i = 0; i < count; i++) {
            long from = in.getLong();
            long to = in.getLong();
            if (from < last || to <= from) {
                throw new MessageException("have: expected ascending ranges, found " + from + "-" + to);
            }
            ranges.add(new ByteRange(from, to));
            last = to;
        }
        return new Message.Have(content, sealed, checksum, ranges);
    }

    private static Message.Block block(Number128 content, ByteBuffer in, ByteBuffer frame) {
        expect(in, BLOCK_HEADER_BYTES - HEADER_BYTES);
        long offset = in.getLong();
        int length = in.getInt();
        int expected = in.getInt();
        checkRange(offset, length);
        if (in.hasRemaining() && in.remaining() != length) {
            throw new MessageException("block: expected " + length + " bytes or none, found " + in.remaining());
        }
        int found = checksum(frame);
        if (found != expected) {
            throw new MessageException("block of " + content + " at " + offset + ": expected CRC-32C "
                    + Integer.toHexString(expected) + ", found " + Integer.toHexString(found));
        }
        return new Message.Block(content, offset, length, in.slice());
    }

    private static int checksum(ByteBuffer frame) {
        CRC32C crc = new CRC32C();
        crc.update(frame.slice(0, CHECKSUM_OFFSET));
        crc.update(frame.slice(BLOCK_HEADER_BYTES, frame.limit() - BLOCK_HEADER_BYTES));
        return (int) crc.getValue();
    }

    private static void checkRange(long offset, int length) {
        if (length < 0 || length > MAX_BLOCK_BYTES || offset < 0 || offset > Long.MAX_VALUE - length) {
            throw new MessageException("range: expected at most " + MAX_BLOCK_BYTES + " bytes, found " + length + " at "
                    + Long.toUnsignedString(offset));
        }
    }

    private static void expect(ByteBuffer in, int bytes) {
        if (in.remaining() < bytes) {
            throw new MessageException("message: expected " + bytes + " more bytes, found " + in.remaining());
        }
    }

    private static String text(ByteBuffer in) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
        } catch (CharacterCodingException e) {
            throw new MessageException("message: expected UTF-8");
        }
    }
}
