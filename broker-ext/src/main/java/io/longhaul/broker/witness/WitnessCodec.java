package io.longhaul.broker.witness;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Coded;
import io.longhaul.broker.witness.WitnessFrame.Hello;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.broker.witness.WitnessFrame.Welcome;
import io.longhaul.wire.Limits;
import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Frames of the witness protocol to bytes and back. Pure; may be used from any thread.
 *
 * <pre>
 * +--------+------+--------+
 * | length | type | fields |     length: 4 bytes, big-endian, without itself; type: 1 byte
 * +--------+------+--------+
 * </pre>
 *
 * A text is its length in bytes (2) and UTF-8; numbers are big-endian.
 */
public final class WitnessCodec {
    /** The first bytes of an asker's stream: "LHWT". As the length of a core frame they would be out of range. */
    public static final int MAGIC = 0x4c485754;

    /** The protocol version that this code speaks. */
    public static final int VERSION = 1;

    /** Longest frame. */
    public static final int MOST_BYTES = 4096;

    private static final int LONGEST_TEXT = 1024;
    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int REFUSED = 3;
    private static final int ASK = 4;
    private static final int ANSWER = 5;

    private WitnessCodec() {}

    /** Returns the frame with its length in front. */
    public static ByteBuf encode(WitnessFrame frame) {
        ByteBuf out = Unpooled.buffer();
        out.writeInt(0);
        if (frame instanceof Hello hello) {
            out.writeByte(HELLO).writeShort(hello.version());
            write(out, hello.user());
            write(out, hello.password());
        } else if (frame instanceof Welcome welcome) {
            out.writeByte(WELCOME).writeShort(welcome.version());
        } else if (frame instanceof Refused refused) {
            out.writeByte(REFUSED).writeByte(refused.reason().code());
            write(out, refused.text());
        } else if (frame instanceof Ask ask) {
            out.writeByte(ASK).writeLong(ask.number()).writeByte(ask.operation().code());
            write(out, ask.pair());
            write(out, ask.node());
            out.writeLong(ask.expected()).writeLong(ask.value());
        } else if (frame instanceof Answer answer) {
            out.writeByte(ANSWER)
                    .writeLong(answer.number())
                    .writeByte(answer.outcome().code())
                    .writeLong(answer.value());
        }
        return out.setInt(0, out.readableBytes() - Integer.BYTES);
    }

    private static void write(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length).writeBytes(bytes);
    }

    /** Reads a frame behind its length; throws {@link WireException} when it breaks any rule. */
    public static WitnessFrame decode(ByteBuf in) {
        try {
            WitnessFrame frame = read(in);
            if (in.isReadable()) {
                throw new WireException("witness frame: " + in.readableBytes() + " bytes behind its end");
            }
            return frame;
        } catch (IndexOutOfBoundsException e) {
            throw new WireException("witness frame: it ends too early", e);
        }
    }

    private static WitnessFrame read(ByteBuf in) {
        int type = in.readUnsignedByte();
        return switch (type) {
            case HELLO -> new Hello(in.readUnsignedShort(), text(in), text(in));
            case WELCOME -> new Welcome(in.readUnsignedShort());
            case REFUSED -> new Refused(of("reason", Reason.values(), in.readUnsignedByte()), text(in));
            case ASK ->
                new Ask(
                        in.readLong(),
                        of("operation", Operation.values(), in.readUnsignedByte()),
                        text(in),
                        text(in),
                        in.readLong(),
                        in.readLong());
            case ANSWER ->
                new Answer(in.readLong(), of("outcome", Outcome.values(), in.readUnsignedByte()), in.readLong());
            default -> throw new WireException("witness frame: expected a type of 1..5, found " + type);
        };
    }

    private static <T extends Coded> T of(String what, T[] values, int code) {
        for (T value : values) {
            if (value.code() == code) {
                return value;
            }
        }
        throw new WireException(what + " of a witness frame: expected 0.." + (values.length - 1) + ", found " + code);
    }

    private static String text(ByteBuf in) {
        int length = in.readUnsignedShort();
        Limits.range("length of a text", length, 0, LONGEST_TEXT);
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }
}
