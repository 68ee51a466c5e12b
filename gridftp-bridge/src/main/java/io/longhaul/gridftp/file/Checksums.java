package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Computes checksums of files. */
final class Checksums {
    private static final int BUFFER_BYTES = 1024 * 1024;

    private Checksums() {}

    /** Something that takes bytes and has a checksum at the end. */
    private interface Summing {
        void update(ByteBuffer bytes);

        String result();
    }

    /** Returns lower-case hexadecimal digits; an empty text when it was not wanted any more. */
    static String of(
            Path file, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress, BooleanSupplier unwanted)
            throws IOException {
        Summing summing = summing(algorithm);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long at = range.start();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            while (at < range.end()) {
                if (unwanted.getAsBoolean()) {
                    return "";
                }
                buffer.clear().limit((int) Math.min(BUFFER_BYTES, range.end() - at));
                int read = channel.read(buffer, at);
                if (read < 0) {
                    break;
                }
                at += read;
                summing.update(buffer.flip());
                progress.accept(at - range.start());
            }
        }
        return summing.result();
    }

    private static Summing summing(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case MD5 -> digest("MD5");
            case SHA1 -> digest("SHA-1");
            case SHA256 -> digest("SHA-256");
            case SHA512 -> digest("SHA-512");
            case ADLER32 -> checksum(new Adler32());
            case CRC32C -> checksum(new CRC32C());
        };
    }

    private static Summing checksum(Checksum sum) {
        return new Summing() {
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

    private static Summing digest(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance(name);
            return new Summing() {
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
