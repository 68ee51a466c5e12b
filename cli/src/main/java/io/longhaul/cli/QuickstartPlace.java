package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.Disk;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
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
 * <p>Only a directory that is empty, missing, or marked by an earlier quickstart and without anything else is taken.
 */
final class QuickstartPlace implements AutoCloseable {
    private static final String MARK = ".longhaul-quickstart";
    private static final String SAMPLE = "sample.bin";
    private static final String MACHINERY = "machinery";
    private static final int SAMPLE_BYTES = 64 * 1024 * 1024;
    private static final int BUFFER = 1024 * 1024;
    private static final long SEED = 7400;

    /** Where files arrive: each of these has a directory. */
    static final List<String> SITES = List.of("site-1", "site-2", "site-3");

    private final Path root;
    private final FileChannel lock;

    private QuickstartPlace(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /** Takes the directory; refused when another quickstart runs in it or it holds something else. */
    static QuickstartPlace prepare(Path directory) {
        Path root = RealPath.withoutDots(directory);
        Path mark = root.resolve(MARK);
        try {
            Files.createDirectories(root);
            requireOwn(root, mark);
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

    /** What somebody has put here since is not the quickstart's to remove. */
    private static void requireOwn(Path root, Path mark) throws IOException {
        boolean marked = Files.exists(mark);
        for (Path child : children(root)) {
            String name = String.valueOf(child.getFileName());
            boolean own = marked && (SITES.contains(name) || name.equals(SAMPLE) || name.equals(MACHINERY));
            if (!own) {
                throw refused(root + ": expected an empty directory or one of an earlier quickstart, found "
                        + Names.shown(name) + " in it; give --dir DIR");
            }
        }
    }

    /**
     * Refuses a source that is inside the directory, which is emptied before it is read, or that the directory is inside of.
     */
    static void requireApart(Path source, Path directory) {
        Path place = RealPath.of(directory);
        Path content = RealPath.of(source);
        // a link in the directory is removed, wherever it leads to
        Path above = RealPath.withoutDots(source).getParent();
        boolean inside =
                content.startsWith(place) || above != null && RealPath.of(above).startsWith(place);
        if (inside || place.startsWith(content)) {
            throw new IllegalArgumentException(Names.shown(source.toString())
                    + ": expected a file or directory apart from where the quickstart works, which is emptied at its"
                    + " start, found " + Names.shown(place.toString()) + "; give --dir DIR");
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
        return root.resolve(MACHINERY).resolve(name);
    }

    /** Writes a file of 64 MiB that does not compress and is the same at every run. */
    Path sample() {
        Path sample = root.resolve(SAMPLE);
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
        removeAll(List.of(root.resolve(MACHINERY)));
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": cannot be unlocked", e);
        }
    }
}
