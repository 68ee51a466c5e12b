package io.longhaul.gridftp.spi;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Takes bytes in order and has their checksum at the end. Not thread-safe. */
public interface RunningChecksum {
    /** Takes bytes; uses them up. */
    void update(ByteBuffer bytes);

    /** Returns the checksum in lower-case hexadecimal digits; to be asked once. */
    String result();

    /** Returns a new one of an algorithm. */
    static RunningChecksum of(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case MD5 -> digest("MD5");
            case SHA1 -> digest("SHA-1");
            case SHA256 -> digest("SHA-256");
            case SHA512 -> digest("SHA-512");
            case ADLER32 -> checksum(new Adler32());
            case CRC32C -> checksum(new CRC32C());
        };
    }

    private static RunningChecksum checksum(Checksum sum) {
        return new RunningChecksum() {
            @Override
            public void update(ByteBuffer bytes) {
                sum.update(bytes);
            }

            @Override
            public String result() {
                return String.format(Locale.ROOT, "%08x", sum.getValue());
            }
        };
    }

    private static RunningChecksum digest(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance(name);
            return new RunningChecksum() {
                @Override
                public void update(ByteBuffer bytes) {
                    digest.update(bytes);
                }

                @Override
                public String result() {
                    return HexFormat.of().formatHex(digest.digest());
                }
            };
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks " + name, e);
        }
    }
}
