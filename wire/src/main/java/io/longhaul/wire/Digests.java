package io.longhaul.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest of whole files: SHA-256 (FIPS 180-4). */
public final class Digests {
    private static final int HEX_LENGTH = 64;

    private Digests() {}

    /** Returns a fresh SHA-256. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String checkHex(String digest) {
        return checkHex("digest", digest, HEX_LENGTH);
    }

    static String checkHex(String what, String value, int digits) {
        if (value.length() != digits
                || !value.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            throw new WireException(
                    what + ": expected " + digits + " lower-case hexadecimal digits, found " + Names.shown(value));
        }
        return value;
    }
}
