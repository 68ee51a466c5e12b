package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The directory of a quickstart: emptied of what the last one left, and locked while one runs.
 *
 * <p>Only a directory that is empty, missing or marked by an earlier quickstart is taken.
 */
final class QuickstartPlace implements AutoCloseable {
    private static final String MARK = ".longhaul-quickstart";
    private static final int SAMPLE_BYTES = 64 * 1024 * 1024;
    private static final int BUFFER = 1024 * 1024;
    private static final long SEED = 7400;

    private final Path root;
    private final FileChannel lock;

    private QuickstartPlace(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /** Takes the directory; refused when another quickstart runs in it or it holds something else. */
    static QuickstartPlace prepare(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        Path mark = root.resolve(MARK);
        try {
            Files.createDirectories(root);
            if (!Files.exists(mark) && !children(root).isEmpty()) {
                throw refused(root + ": expected an empty directory or one of an earlier quickstart; give --dir DIR");
            }
            FileChannel channel = FileChannel.open(mark, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock taken = channel.tryLock();
            if (taken == null) {
                channel.close();
                throw refused(root + ": another quickstart runs here; wait for it or give --dir DIR");
            }
            QuickstartPlace place = new QuickstartPlace(root, channel);
            place.removeAll(children(root));
            return place;
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": cannot be prepared", e);
        }
    }

    private static AgentException refused(String line) {
        return new AgentException(AgentException.Code.REFUSED, line);
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(child -> !child.endsWith(MARK)).toList();
        }
    }

    private void removeAll(List<Path> paths) {
        paths.forEach(Disk.real()::deleteTree);
    }

    Path root() {
        return root;
    }

    /** Where the files of a site appear. */
    Path site(String name) {
        return root.resolve(name);
    }

    /** Where broker and agents keep their data; removed at the end. */
    Path machinery(String name) {
        return root.resolve("machinery").resolve(name);
    }

    /** Writes a file of 64 MiB that does not compress and is the same at every run. */
    Path sample() {
        Path sample = root.resolve("sample.bin");
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] block = new byte[BUFFER];
        try (FileChannel out = FileChannel.open(sample, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int written = 0; written < SAMPLE_BYTES; written += BUFFER) {
                random.nextBytes(block);
                ByteBuffer bytes = ByteBuffer.wrap(block);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(sample + ": cannot be written", e);
        }
        return sample;
    }

    @Override
    public void close() {
        removeAll(List.of(root.resolve("machinery")));
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": cannot be unlocked", e);
        }
    }
}
