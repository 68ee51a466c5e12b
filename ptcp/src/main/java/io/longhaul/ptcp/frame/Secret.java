package io.longhaul.ptcp.frame;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the acceptor tells the opener once, on the control channel, and what every further channel proves to know.
 *
 * <p>The proof is HMAC-SHA256 (RFC 2104) over kind, session and number of the channel; a number is taken once, so that
 * a proof that was overheard is worth nothing.
 */
public final class Secret {
    /** Length on the wire, bytes; that of a proof as well. */
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a new one. */
    public static Secret random(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Secret(bytes);
    }

    static Secret read(ByteBuf in) {
        byte[] bytes = new byte[BYTES];
        in.readBytes(bytes);
        return new Secret(bytes);
    }

    void write(ByteBuf out) {
        out.writeBytes(bytes);
    }

    /** Returns the proof for one channel. */
    public byte[] proof(Greeting.Kind kind, SessionId session, int number) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            ByteBuffer claim = ByteBuffer.allocate(1 + SessionId.BYTES + Integer.BYTES);
            claim.put((byte) kind.code())
                    .putLong(session.high())
                    .putLong(session.low())
                    .putInt(number);
            return mac.doFinal(claim.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Returns whether the greeting's proof is right; takes the same time either way. */
    public boolean accepts(Greeting greeting) {
        return MessageDigest.isEqual(proof(greeting.kind(), greeting.session(), greeting.number()), greeting.proof());
    }

    @Override
    public String toString() {
        return "Secret[...]";
    }
}
