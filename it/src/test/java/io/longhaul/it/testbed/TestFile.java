package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.SplittableRandom;

/** Files whose bytes follow from a seed, and digests. */
public final class TestFile {
    public static final long KIB = 1024;
    public static final long MIB = 1024 * KIB;
    public static final long GIB = 1024 * MIB;

    private static final int CHUNK = (int) MIB;

    private TestFile() {}

    /** Writes a file of pseudo-random bytes. */
    public static Path random(Path file, long seed, long length) {
        SplittableRandom random = new SplittableRandom(seed);
        try (FileChannel out = open(file)) {
            ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, length + Long.BYTES));
            for (long left = length; left > 0; left -= chunk.limit()) {
                chunk.clear();
                while (chunk.remaining() >= Long.BYTES) {
                    chunk.putLong(random.nextLong());
                }
                chunk.flip().limit((int) Math.min(left, chunk.limit()));
                writeAll(out, chunk, out.position());
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be written", e);
        }
    }

    /** Takes a file's bytes away and leaves its name, so that long campaigns fit on a disk. */
    public static void empty(Path file) {
        try {
            Files.write(file, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be emptied", e);
        }
    }

    /** Writes a file that is one hole but for islands of pseudo-random bytes at even distances. */
    public static Path sparse(Path file, long seed, long length, int islands, int islandLength) {
        byte[] island = new byte[islandLength];
        new Random(seed).nextBytes(island);
        Path made = openSparse(file);
        try (FileChannel out = FileChannel.open(made, StandardOpenOption.WRITE)) {
            for (int i = 0; i < islands; i++) {
                writeAll(out, ByteBuffer.wrap(island), length / islands * i);
            }
            writeAll(out, ByteBuffer.wrap(new byte[] {42}), length - 1);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be written", e);
        }
    }

    /** Returns the SHA-256 of a file in hexadecimal. */
    public static String digest(Path file) {
        try (FileChannel in = FileChannel.open(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer chunk = ByteBuffer.allocateDirect((int) Math.min(CHUNK, in.size() + 1));
            while (in.read(chunk) >= 0) {
                digest.update(chunk.flip());
                chunk.clear();
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Inverts one byte of a file in place. */
    public static void flip(Path file, long position) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (channel.read(one, position) != 1) {
                throw new AssertionError(file + ": has no byte " + position + ", its length is " + channel.size());
            }
            one.put(0, (byte) ~one.get(0)).rewind();
            channel.write(one, position);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be damaged", e);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    private static Path openSparse(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)
                    .close();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be created", e);
        }
    }

    private static void writeAll(FileChannel out, ByteBuffer bytes, long at) throws IOException {
        long position = at;
        while (bytes.hasRemaining()) {
            position += out.write(bytes, position);
        }
        out.position(position);
    }
}
