package io.longhaul.broker.users;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.KeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as the users file keeps it: {@code pbkdf2-sha256$ITERATIONS$SALT$HASH}, salt and hash in Base64; or {@code none},
 * which no password matches.
 *
 * <p>Immutable; equal only to itself, so that nobody compares it with a password but by {@link #matches}.
 */
public final class PasswordHash {
    /** Nobody's. */
    public static final PasswordHash NONE = new PasswordHash(0, new byte[0], new byte[0]);

    private static final String NONE_TEXT = "none";
    private static final String SCHEME = "pbkdf2-sha256";
    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    private static final int DEFAULT_ITERATIONS = 210_000;
    static final int LEAST_ITERATIONS = 100_000;
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a password with fresh salt; takes about a tenth of a second on purpose. */
    public static PasswordHash of(char[] password, RandomGenerator random) {
        return of(password, random, DEFAULT_ITERATIONS);
    }

    static PasswordHash of(char[] password, RandomGenerator random, int iterations) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations));
    }

    /** Reads what {@link #toString} wrote; the message of the failure does not repeat the text. */
    public static PasswordHash parse(String text) {
        if (text.equals(NONE_TEXT)) {
            return NONE;
        }
        String[] parts = text.split("\\$", -1);
        try {
            if (parts.length == 4 && parts[0].equals(SCHEME)) {
                int iterations = Integer.parseInt(parts[1]);
                byte[] salt = Base64.getDecoder().decode(parts[2]);
                byte[] hash = Base64.getDecoder().decode(parts[3]);
                if (iterations >= LEAST_ITERATIONS
                        && iterations <= MOST_ITERATIONS
                        && salt.length >= SALT_BYTES / 2
                        && hash.length * Byte.SIZE == HASH_BITS) {
                    return new PasswordHash(iterations, salt, hash);
                }
            }
        } catch (IllegalArgumentException e) {
            // told below, with the same words as every other malformed hash
        }
        throw new IllegalArgumentException("password: expected " + SCHEME
                + "$ITERATIONS$SALT$HASH, found something else (write it with" + " `longhaul user add`)");
    }

    /** Returns whether both were made at once: of the same password, with the same salt. */
    boolean isSame(PasswordHash other) {
        return iterations == other.iterations
                && MessageDigest.isEqual(salt, other.salt)
                && MessageDigest.isEqual(hash, other.hash);
    }

    /** Returns whether this is the password's hash, in a time that does not depend on how much of it is right. */
    public boolean matches(char[] password) {
        return this != NONE && MessageDigest.isEqual(hash, derive(password, salt, iterations));
    }

    private static byte[] derive(char[] password, byte[] salt, int iterations) {
        // An empty password is not a key to the JDK; it never matches one that is not empty.
        char[] key = password.length == 0 ? new char[] {'\0'} : Arrays.copyOf(password, password.length);
        KeySpec spec = new PBEKeySpec(key, salt, iterations, HASH_BITS);
        Arrays.fill(key, '\0');
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java lacks " + ALGORITHM, e);
        } finally {
            ((PBEKeySpec) spec).clearPassword();
        }
    }

    @Override
    public String toString() {
        if (this == NONE) {
            return NONE_TEXT;
        }
        Base64.Encoder encoder = Base64.getEncoder();
        return SCHEME + "$" + iterations + "$" + encoder.encodeToString(salt) + "$" + encoder.encodeToString(hash);
    }
}
