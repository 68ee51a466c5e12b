package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What this process had when it was quiet, and what it has more of since: sockets, direct memory, heap. */
final class Costs {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final long MIB = 1024 * 1024;
    private static final long MOST_LEFT_BYTES = 48 * MIB;
    private final int sockets = sockets();
    private final long directBytes = directBytes();
    private final long heapBytes = heapBytes();

    static {
        // Java keeps a pair of sockets from the first one that it closes
        try {
            new ServerSocket(0).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int sockets() {
        int count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path one : all) {
                try {
                    if (Files.readSymbolicLink(one).toString().startsWith("socket:")) {
                        count++;
                    }
                } catch (NoSuchFileException e) {
                    // closed since
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return count;
    }

    private static long directBytes() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    private static long heapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    int moreSockets() {
        return sockets() - sockets;
    }

    /** Checks what was taken from the system, with what is kept for the next use. */
    void assertMemoryWithin(int mebibytes) {
        assertThat(directBytes() - directBytes).as("direct memory").isLessThan(mebibytes * MIB);
        assertThat(heapBytes() - heapBytes).as("heap").isLessThan(mebibytes * MIB);
    }

    void awaitAsBefore() {
        Patience.await().untilAsserted(() -> assertThat(sockets()).isLessThanOrEqualTo(sockets));
        assertThat(directBytes() - directBytes).as("direct memory").isLessThan(MOST_LEFT_BYTES);
        assertThat(heapBytes() - heapBytes).as("heap").isLessThan(MOST_LEFT_BYTES);
    }
}
