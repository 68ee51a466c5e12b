package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.file.Failures;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is known of published files, one small file each. Waits for the disk; thread-safe for different files. */
final class Records {
    private static final Logger LOG = LoggerFactory.getLogger(Records.class);
    private static final String NEW = ".new";

    private final Path directory;

    Records(Path directory) {
        this.directory = directory;
    }

    /** Writes a record, durably, in place of an older one. */
    void put(PublishedFile file) {
        Path place = directory.resolve(file.id());
        Path made = directory.resolve(file.id() + NEW);
        try {
            try (FileChannel channel = FileChannel.open(
                    made, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(RecordCodec.encode(file));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(made, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                names.force(true);
            }
        } catch (IOException e) {
            throw Failures.of(file.path(), e);
        }
    }

    void remove(PublishedFile file) {
        try {
            Files.deleteIfExists(directory.resolve(file.id()));
        } catch (IOException e) {
            throw Failures.of(file.path(), e);
        }
    }

    /** Removes what a killed process has not written to its end. */
    void removeUnwritten() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + NEW)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw Failures.of(FilePath.ROOT, e);
        }
    }

    /** Returns all of them, oldest first; one that is damaged is told of and left out. */
    List<PublishedFile> all() {
        List<PublishedFile> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (!file.toString().endsWith(NEW)) {
                    read(file, all);
                }
            }
        } catch (IOException e) {
            throw Failures.of(FilePath.ROOT, e);
        }
        all.sort(Comparator.comparing(PublishedFile::id));
        return all;
    }

    private static void read(Path file, List<PublishedFile> all) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            all.add(RecordCodec.decode(bytes));
        } catch (IOException e) {
            LOG.warn("{}: {}", file, e.getMessage());
        }
    }
}
