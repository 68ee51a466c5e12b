package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Looks for bytes in files. */
public final class Bytes {
    private static final int CHUNK = (int) TestFile.MIB;

    private Bytes() {}

    /** Returns bytes of a file. */
    public static byte[] read(Path file, long position, int length) {
        try (FileChannel in = FileChannel.open(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining() && in.read(bytes, position + bytes.position()) >= 0) {
                // read() advances
            }
            return bytes.array();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }

    /** Returns where a file has these bytes first; -1 when nowhere. */
    public static long find(Path file, byte[] wanted) {
        try (FileChannel in = FileChannel.open(file)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK + wanted.length);
            for (long base = 0; base < in.size(); base += CHUNK) {
                chunk.clear();
                while (chunk.hasRemaining() && in.read(chunk, base + chunk.position()) >= 0) {
                    // read() advances
                }
                int at = find(chunk.array(), chunk.position(), wanted);
                if (at >= 0) {
                    return base + at;
                }
            }
            return -1;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }

    private static int find(byte[] bytes, int length, byte[] wanted) {
        for (int at = 0; at <= length - wanted.length; at++) {
            int same = 0;
            while (same < wanted.length && bytes[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return at;
            }
        }
        return -1;
    }
}
