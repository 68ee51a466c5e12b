package io.longhaul.cli.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which files of watched directories were published: a file of JSON lines that is only appended to and forced.
 *
 * <pre>
 * {"path":"/in/a.nc","key":"(dev=fd00,ino=123)","size":42,"modified":1700000000000000000}
 * </pre>
 *
 * <p>A torn last line, which a crash can leave, is dropped. Files that have vanished are forgotten at the next open,
 * which writes the journal anew. Methods may be called from any thread.
 */
public final class WatchJournal implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int LONGEST = 1 << 30;

    /** What a line says; the name in the watched directory does not matter. */
    private record Mark(String path, String key, long size, long modified) {
        static Mark of(WatchedFile file) {
            return new Mark(file.path().toString(), file.key(), file.size(), file.modifiedNanos());
        }

        String line() {
            return JSON.createObjectNode()
                            .put("path", path)
                            .put("key", key)
                            .put("size", size)
                            .put("modified", modified)
                    + "\n";
        }
    }

    private final DiskFile file;
    private final Set<Mark> marks;

    /** Where the next line goes; guarded by this. */
    private long end;

    private WatchJournal(DiskFile file, Set<Mark> marks, long end) {
        this.file = file;
        this.marks = new HashSet<>(marks);
        this.end = end;
    }

    /** Opens the journal, creating it when there is none. */
    public static WatchJournal open(Path path, Disk disk) {
        Set<Mark> marks = Files.exists(path) ? read(path, disk) : Set.of();
        StringBuilder lines = new StringBuilder();
        Set<Mark> kept = new LinkedHashSet<>();
        for (Mark mark : marks) {
            if (Files.exists(Path.of(mark.path()), LinkOption.NOFOLLOW_LINKS)) {
                kept.add(mark);
                lines.append(mark.line());
            }
        }
        byte[] content = lines.toString().getBytes(StandardCharsets.UTF_8);
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        disk.delete(fresh);
        DiskFile file = disk.open(fresh);
        try {
            file.write(ByteBuffer.wrap(content), 0);
            file.force();
            disk.rename(fresh, path);
            disk.syncDirectory(path.toAbsolutePath().resolveSibling(""));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
        return new WatchJournal(file, kept, content.length);
    }

    private static Set<Mark> read(Path path, Disk disk) {
        ByteBuffer content;
        try (DiskFile file = disk.openForReading(path)) {
            content = ByteBuffer.allocate((int) Math.min(LONGEST, file.length()));
            file.read(content, 0);
        }
        Set<Mark> marks = new LinkedHashSet<>();
        String text = new String(content.array(), 0, content.position(), StandardCharsets.UTF_8);
        text.lines().map(WatchJournal::parsed).flatMap(Optional::stream).forEach(marks::add);
        return marks;
    }

    /** Empty for the torn end that a crash leaves: that file counts as not published. */
    private static Optional<Mark> parsed(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            return Optional.of(new Mark(
                    node.path("path").asText(),
                    node.path("key").asText(),
                    node.path("size").asLong(),
                    node.path("modified").asLong()));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Returns whether this very file was published. */
    public synchronized boolean contains(WatchedFile candidate) {
        return marks.contains(Mark.of(candidate));
    }

    /** Remembers for good that this very file was published; on disk when this returns. */
    public synchronized void add(WatchedFile published) {
        Mark mark = Mark.of(published);
        if (marks.contains(mark)) {
            return;
        }
        byte[] line = mark.line().getBytes(StandardCharsets.UTF_8);
        file.write(ByteBuffer.wrap(line), end);
        file.force();
        end += line.length;
        marks.add(mark);
    }

    @Override
    public synchronized void close() {
        file.close();
    }
}
