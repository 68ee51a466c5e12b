package io.longhaul.ptcp.frame;

import io.netty.buffer.ByteBuf;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** The 128-bit name of a session. */
public record SessionId(long high, long low) {
    /** Length on the wire, bytes. */
    public static final int BYTES = 16;

    /** Of a greeting that asks for a new session. */
    public static final SessionId NONE = new SessionId(0, 0);

    /** Returns a name that nobody can guess when the generator is a secure one. */
    public static SessionId random(RandomGenerator random) {
        return new SessionId(random.nextLong(), random.nextLong());
    }

    static SessionId read(ByteBuf in) {
        return new SessionId(in.readLong(), in.readLong());
    }

    void write(ByteBuf out) {
        out.writeLong(high).writeLong(low);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
