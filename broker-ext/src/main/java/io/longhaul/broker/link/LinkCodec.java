package io.longhaul.broker.link;

import io.longhaul.broker.link.LinkFrame.Carried;
import io.longhaul.broker.link.LinkFrame.Hello;
import io.longhaul.broker.link.LinkFrame.Known;
import io.longhaul.broker.link.LinkFrame.Reason;
import io.longhaul.broker.link.LinkFrame.Refused;
import io.longhaul.broker.link.LinkFrame.Report;
import io.longhaul.broker.link.LinkFrame.Taken;
import io.longhaul.broker.link.LinkFrame.Unwanted;
import io.longhaul.broker.link.LinkFrame.Wants;
import io.longhaul.broker.link.LinkFrame.Welcome;
import io.longhaul.wire.Limits;
import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Frames of a link to bytes and back. Pure; may be used from any thread.
 *
 * <pre>
 * +--------+------+--------+
 * | length | type | fields |     length: 4 bytes, big-endian, without itself; type: 1 byte
 * +--------+------+--------+
 * </pre>
 *
 * A text is its length in bytes (2) and UTF-8; numbers are big-endian.
 */
public final class LinkCodec {
    /** The first bytes of a link's stream: "LHLK". As the length of a core frame they would be out of range. */
    public static final int MAGIC = 0x4c484c4b;

    /** The protocol version that this code speaks. */
    public static final int VERSION = 1;

    /** Longest frame before the other end is known. */
    public static final int MOST_FIRST_BYTES = 4096;

    /** Longest frame: the largest message, with room for its properties. */
    public static final int MOST_BYTES = 16 * 1024 * 1024;

    /** Most names in one frame of wants; more go into several. */
    public static final int MOST_NAMES = 10_000;

    private static final int LONGEST_NAME = 1024;
    private static final int ROOM = 2 * LONGEST_NAME; // for what is around a message; buffers grow
    private static final int LONGEST_VIA = 8 * 1024;
    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int REFUSED = 3;
    private static final int WANTS = 4;
    private static final int KNOWN = 5;
    private static final int REPORT = 6;
    private static final int CARRIED = 7;
    private static final int TAKEN = 8;
    private static final int UNWANTED = 9;

    private LinkCodec() {}

    /** Returns the frame with its length in front; the message of a {@link Carried} is copied and released. */
    public static ByteBuf encode(LinkFrame frame, ByteBufAllocator allocator) {
        ByteBuf out = allocator.directBuffer(size(frame));
        out.writeInt(0);
        if (frame instanceof Hello hello) {
            out.writeByte(HELLO).writeShort(hello.version());
            write(out, hello.broker());
            write(out, hello.user());
            write(out, hello.password());
        } else if (frame instanceof Welcome welcome) {
            out.writeByte(WELCOME).writeShort(welcome.version());
            write(out, welcome.broker());
        } else if (frame instanceof Refused refused) {
            out.writeByte(REFUSED).writeByte(refused.reason().code());
            write(out, refused.text());
        } else if (frame instanceof Wants wants) {
            out.writeByte(WANTS).writeLong(wants.version()).writeBoolean(wants.complete());
            write(out, wants.removed());
            write(out, wants.added());
        } else if (frame instanceof Known known) {
            out.writeByte(KNOWN).writeLong(known.version());
        } else if (frame instanceof Report report) {
            out.writeByte(REPORT).writeBytes(report.json());
        } else if (frame instanceof Carried carried) {
            writeCarried(out, carried.sequence(), carried.via(), message -> message.writeBytes(carried.message()));
            carried.message().release();
        } else if (frame instanceof Taken taken) {
            out.writeByte(TAKEN).writeLong(taken.sequence());
        } else if (frame instanceof Unwanted unwanted) {
            out.writeByte(UNWANTED);
            write(out, unwanted.address());
        }
        return out.setInt(0, out.readableBytes() - Integer.BYTES);
    }

    private static int size(LinkFrame frame) {
        return ROOM + (frame instanceof Carried carried ? carried.message().readableBytes() : 0);
    }

    /** Returns the frame of a message of about so many bytes, which {@code message} writes. */
    public static ByteBuf carried(
            long sequence, String via, int bytes, Consumer<ByteBuf> message, ByteBufAllocator allocator) {
        ByteBuf out = allocator.directBuffer(ROOM + bytes);
        boolean done = false;
        try {
            out.writeInt(0);
            writeCarried(out, sequence, via, message);
            out.setInt(0, out.readableBytes() - Integer.BYTES);
            done = true;
            return out;
        } finally {
            if (!done) {
                out.release();
            }
        }
    }

    private static void writeCarried(ByteBuf out, long sequence, String via, Consumer<ByteBuf> message) {
        out.writeByte(CARRIED).writeLong(sequence);
        write(out, via);
        message.accept(out);
    }

    private static void write(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length).writeBytes(bytes);
    }

    private static void write(ByteBuf out, Set<String> names) {
        out.writeInt(names.size());
        names.forEach(name -> write(out, name));
    }

    /**
     * Reads a frame behind its length; throws {@link WireException} when it breaks any rule.
     *
     * <p>The message of a {@link Carried} is a retained slice of the buffer.
     */
    public static LinkFrame decode(ByteBuf in) {
        try {
            LinkFrame frame = read(in);
            if (in.isReadable()) {
                throw new WireException("link frame: " + in.readableBytes() + " bytes behind its end");
            }
            return frame;
        } catch (IndexOutOfBoundsException e) {
            throw new WireException("link frame: it ends too early", e);
        }
    }

    private static LinkFrame read(ByteBuf in) {
        int type = in.readUnsignedByte();
        return switch (type) {
            case HELLO ->
                new Hello(
                        in.readUnsignedShort(), text(in, LONGEST_NAME), text(in, LONGEST_NAME), text(in, LONGEST_NAME));
            case WELCOME -> new Welcome(in.readUnsignedShort(), text(in, LONGEST_NAME));
            case REFUSED -> new Refused(reason(in.readUnsignedByte()), text(in, LONGEST_NAME));
            case WANTS -> new Wants(in.readLong(), in.readBoolean(), names(in), names(in));
            case KNOWN -> new Known(in.readLong());
            case REPORT -> report(in);
            case CARRIED -> new Carried(in.readLong(), text(in, LONGEST_VIA), in.readRetainedSlice(in.readableBytes()));
            case TAKEN -> new Taken(in.readLong());
            case UNWANTED -> new Unwanted(text(in, LONGEST_NAME));
            default -> throw new WireException("link frame: expected a type of 1..9, found " + type);
        };
    }

    private static Report report(ByteBuf in) {
        Limits.range("length of a report", in.readableBytes(), 1, Limits.MAX_CONTROL_BYTES);
        byte[] json = new byte[in.readableBytes()];
        in.readBytes(json);
        return new Report(json);
    }

    private static Reason reason(int code) {
        for (Reason reason : Reason.values()) {
            if (reason.code() == code) {
                return reason;
            }
        }
        throw new WireException("reason of a refusal: expected 0..5, found " + code);
    }

    private static String text(ByteBuf in, int longest) {
        int length = in.readUnsignedShort();
        Limits.range("length of a text", length, 0, longest);
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }

    private static Set<String> names(ByteBuf in) {
        int count = in.readInt();
        Limits.range("number of names", count, 0, MOST_NAMES);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            names.add(text(in, LONGEST_NAME));
        }
        return names;
    }
}
