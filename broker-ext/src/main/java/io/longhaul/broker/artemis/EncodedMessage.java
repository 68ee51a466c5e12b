package io.longhaul.broker.artemis;

import io.netty.buffer.ByteBuf;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.utils.DataConstants;

/**
 * Looks whether a message, as the core protocol encodes it, may be decoded: the server's decoder believes the numbers in
 * it, and asks for as much memory as they say.
 *
 * <pre>
 *  body's end  body           id   address       user id        type..priority   properties
 * +-----------+------ ... ---+----+------- ... -+----- ... ----+----------------+---+-------+-----+------+-------+---
 * | 13 + n: 4 | n            | 8  | 1, 4, text  | 1, 16 if 1   | 1 1 8 8 1      | 1 | count | key | type | value | ...
 * +-----------+------ ... ---+----+------- ... -+----- ... ----+----------------+---+-------+-----+------+-------+---
 * </pre>
 *
 * Texts and byte arrays are behind their length (4). Moves no index of the buffer; one for each look.
 */
final class EncodedMessage {
    private static final int MOST_PROPERTIES = 1000;
    private static final int USER_ID_BYTES = 16;
    private static final int FIXED_BYTES = 1 + 1 + 8 + 8 + 1;

    private final ByteBuf in;
    private int at;

    private EncodedMessage(ByteBuf in, int from) {
        this.in = in;
        this.at = from;
    }

    /** Returns whether a whole message that begins there ends in the buffer; what follows it is not looked at. */
    static boolean isSound(ByteBuf in, int from) {
        EncodedMessage message = new EncodedMessage(in, from);
        return message.skipBody() && message.skipHeaders() && message.skipProperties();
    }

    /** Returns the same of a message's headers and properties alone. */
    static boolean areHeadersSound(ByteBuf in, int from) {
        EncodedMessage message = new EncodedMessage(in, from);
        return message.skipHeaders() && message.skipProperties();
    }

    /** Returns whether a part of a large message's body, behind its length, ends in the buffer. */
    static boolean isPartSound(ByteBuf in, int from) {
        return new EncodedMessage(in, from).skipText();
    }

    private boolean has(long bytes) {
        return bytes >= 0 && bytes <= in.writerIndex() - at;
    }

    private boolean skip(long bytes) {
        if (!has(bytes)) {
            return false;
        }
        at += (int) bytes;
        return true;
    }

    /** Returns the byte, or none of the values that it may have. */
    private int next() {
        return has(1) ? in.getByte(at++) : -1;
    }

    /** Returns the number, or one that no length and no count may be. */
    private int nextInt() {
        if (!has(Integer.BYTES)) {
            return -1;
        }
        int number = in.getInt(at);
        at += Integer.BYTES;
        return number;
    }

    private boolean skipBody() {
        return skip((long) nextInt() - CoreMessage.BUFFER_HEADER_SPACE);
    }

    private boolean skipHeaders() {
        return skip(Long.BYTES) && skipOptional(0) && skipOptional(USER_ID_BYTES) && skip(FIXED_BYTES);
    }

    /** Skips what is there if the byte before it says so: so many bytes, or a text for none. */
    private boolean skipOptional(int bytes) {
        int there = next();
        return there == DataConstants.NULL
                || there == DataConstants.NOT_NULL && (bytes == 0 ? skipText() : skip(bytes));
    }

    private boolean skipText() {
        return skip(nextInt());
    }

    private boolean skipProperties() {
        int there = next();
        if (there != DataConstants.NOT_NULL) {
            return there == DataConstants.NULL;
        }
        int count = nextInt();
        if (count < 0 || count > MOST_PROPERTIES) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!skipText() || !skipValue(next())) {
                return false;
            }
        }
        return true;
    }

    private boolean skipValue(int type) {
        return switch (type) {
            case DataConstants.NULL -> true;
            case DataConstants.BOOLEAN, DataConstants.BYTE -> skip(1);
            case DataConstants.SHORT, DataConstants.CHAR -> skip(2);
            case DataConstants.INT, DataConstants.FLOAT -> skip(4);
            case DataConstants.LONG, DataConstants.DOUBLE -> skip(8);
            case DataConstants.BYTES, DataConstants.STRING -> skipText();
            default -> false;
        };
    }
}
