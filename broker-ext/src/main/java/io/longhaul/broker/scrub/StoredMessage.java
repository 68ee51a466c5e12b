package io.longhaul.broker.scrub;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * A message as Artemis stores it, big-endian.
 *
 * <pre>
 * protocol 1 | id 8 | address | size 4 | payload: end 4, body, header 8 + address + user id + 1 + 1 + 8 + 8 + 1, properties
 *
 * address     0, or 1, length 4, bytes          end           where the header begins, plus 9
 * user id     0, or 1, 16 bytes                 properties    0, or 1, count 4, (name, type 1, value) each
 * </pre>
 *
 * Artemis trusts every length in it; a flipped bit stops the server at its start, or while it delivers.
 */
final class StoredMessage {
    private static final int CORE = 1;
    private static final int HEADER_SPACE = 13;
    private static final int MAX_NAME_BYTES = 4096;
    private static final int MAX_PROPERTIES = 1000;
    private static final int TYPE_NULL = 0;
    private static final int TYPE_CHAR = 11;

    /** Bytes of the smallest message that {@link #filler} writes. */
    static final int LEAST_BYTES = 1 + 8 + 1 + 4 + 4 + 4 + 30;

    private StoredMessage() {}

    private static final class Fault extends Exception {
        private static final long serialVersionUID = 1L;

        Fault(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads a message and leaves the buffer behind it; returns what is wrong with it, or an empty text. */
    static String fault(ByteBuffer in) {
        try {
            if (in.get() != CORE) {
                throw new Fault("protocol: expected " + CORE);
            }
            in.getLong();
            nullable(in, "address");
            int size = in.getInt();
            if (size < LEAST_BYTES - 18 || size > in.remaining()) {
                throw new Fault("size: expected at most " + in.remaining() + ", found " + size);
            }
            int end = in.position() + size;
            payload(in.slice().limit(size));
            in.position(end);
            return "";
        } catch (Fault e) {
            return String.valueOf(e.getMessage());
        } catch (BufferUnderflowException e) {
            return "it ends too early";
        }
    }

    private static void payload(ByteBuffer in) throws Fault {
        int header = in.getInt(0) - HEADER_SPACE + Integer.BYTES;
        if (header < Integer.BYTES || header > in.limit() - 30) {
            throw new Fault("end of the body: expected at most " + (in.limit() - 30) + ", found " + header);
        }
        in.position(header);
        in.getLong();
        nullable(in, "address");
        if (flag(in, "user id")) {
            in.position(in.position() + 16);
        }
        in.get();
        flag(in, "durable");
        in.getLong();
        in.getLong();
        if (in.get() > 9) {
            throw new Fault("priority: expected 0..9");
        }
        properties(in);
    }

    private static void properties(ByteBuffer in) throws Fault {
        if (!flag(in, "properties")) {
            return;
        }
        int count = in.getInt();
        if (count < 0 || count > MAX_PROPERTIES) {
            throw new Fault("properties: expected at most " + MAX_PROPERTIES + ", found " + count);
        }
        for (int i = 0; i < count; i++) {
            skip(in, "property name", MAX_NAME_BYTES);
            value(in);
        }
    }

    private static void value(ByteBuffer in) throws Fault {
        int type = in.get();
        if (type < TYPE_NULL || type > TYPE_CHAR || type == 1) {
            throw new Fault("property type: expected 0, 2..11, found " + type);
        }
        switch (type) {
            case TYPE_NULL -> {}
            case 4, 10 -> skip(in, "property value", in.remaining());
            case 2, 3 -> in.get();
            case 5, TYPE_CHAR -> in.getShort();
            case 6, 8 -> in.getInt();
            default -> in.getLong();
        }
    }

    private static void nullable(ByteBuffer in, String what) throws Fault {
        if (flag(in, what)) {
            skip(in, what, MAX_NAME_BYTES);
        }
    }

    private static boolean flag(ByteBuffer in, String what) throws Fault {
        byte flag = in.get();
        if (flag != 0 && flag != 1) {
            throw new Fault(what + ": expected 0 or 1, found " + flag);
        }
        return flag == 1;
    }

    private static void skip(ByteBuffer in, String what, int most) throws Fault {
        int length = in.getInt();
        if (length < 0 || length > Math.min(most, in.remaining())) {
            throw new Fault(what + ": expected at most " + Math.min(most, in.remaining()) + " bytes, found " + length);
        }
        in.position(in.position() + length);
    }

    /** Writes a message of this length, {@link #LEAST_BYTES} or more, that says nothing and is for nobody. */
    static void filler(ByteBuffer out, int length) {
        int payload = length - 14;
        out.put((byte) CORE).putLong(0).put((byte) 0).putInt(payload);
        int body = payload - Integer.BYTES - 30;
        int start = out.position();
        out.putInt(Integer.BYTES + body + HEADER_SPACE - Integer.BYTES);
        out.put(new byte[body]);
        out.putLong(0).put((byte) 0).put((byte) 0).put((byte) 0).put((byte) 1);
        out.putLong(0).putLong(0).put((byte) 4).put((byte) 0);
        assert out.position() == start + payload;
    }
}
