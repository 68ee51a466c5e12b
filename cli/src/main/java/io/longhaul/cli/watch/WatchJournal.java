package io.longhaul.cli.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.RealPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which files of watched directories were published to which topic: a file of JSON lines that is appended to and forced.
 *
 * <pre>
 * {"topic":"t","path":"/in/a.nc","inode":"123","size":42,"modified":1700000000000000000}
 * </pre>
 *
 * <p>The last line of a topic and path counts. A torn last line, which a crash can leave, is dropped. Files that have vanished
 * are forgotten when the journal is written anew: at the next open, and whenever most of its lines may be of no use; but not
 * those of a watched directory that is gone or empty, as when its file system is not mounted. Methods may be called from any
 * thread.
 */
public final class WatchJournal implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int LONGEST = 1 << 30;

    private static final int SPARE_LINES = 10_000;

    private record Place(String topic, String path) {}

    /** What a line says; the name in the watched directory does not matter. */
    private record Mark(Place place, String inode, long size, long modified) {
        static Mark of(String topic, WatchedFile file) {
            return new Mark(new Place(topic, file.path().toString()), file.inode(), file.size(), file.modifiedNanos());
        }

        String line() {
            return JSON.createObjectNode()
                            .put("topic", place.topic())
                            .put("path", place.path())
                            .put("inode", inode)
                            .put("size", size)
                            .put("modified", modified)
                    + "\n";
        }
    }

    private final Path path;
    private final Disk disk;
    private final List<Path> watched;
    private final int spareLines;
    private final Map<Place, Mark> marks; // guarded by this
    private final StringBuilder unwritten = new StringBuilder(); // guarded by this: lines that are not on disk yet
    private DiskFile file; // guarded by this
    private long end; // guarded by this: where the next line goes
    private int lines; // guarded by this
    private int mostLines; // guarded by this: with more it is written anew

    private WatchJournal(Path path, Disk disk, List<Path> watched, int spareLines, Map<Place, Mark> marks) {
        this.path = path;
        this.disk = disk;
        this.watched = List.copyOf(watched);
        this.spareLines = spareLines;
        this.marks = marks;
        forgetVanished();
        this.file = writtenAnew();
    }

    /** Opens the journal of these directories, creating it when there is none. */
    public static WatchJournal open(Path path, Disk disk, List<Path> watched) {
        return open(path, disk, watched, SPARE_LINES);
    }

    /** Like {@link #open(Path, Disk, List)}, with that many lines of no use that do not matter. */
    static WatchJournal open(Path path, Disk disk, List<Path> watched, int spareLines) {
        Map<Place, Mark> marks = Files.exists(path) ? read(path, disk) : new LinkedHashMap<>();
        return new WatchJournal(path, disk, watched, spareLines, marks);
    }

    private static Map<Place, Mark> read(Path path, Disk disk) {
        ByteBuffer content;
        try (DiskFile file = disk.openForReading(path)) {
            content = ByteBuffer.allocate((int) Math.min(LONGEST, file.length()));
            file.read(content, 0);
        }
        Map<Place, Mark> marks = new LinkedHashMap<>();
        String text = new String(content.array(), 0, content.position(), StandardCharsets.UTF_8);
        text.lines().map(WatchJournal::parsed).flatMap(Optional::stream).forEach(mark -> marks.put(mark.place(), mark));
        return marks;
    }

    /** Empty for the torn end that a crash leaves: that file counts as not published. */
    private static Optional<Mark> parsed(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            return Optional.of(new Mark(
                    new Place(node.path("topic").asText(), node.path("path").asText()),
                    node.path("inode").asText(),
                    node.path("size").asLong(),
                    node.path("modified").asLong()));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private void forgetVanished() {
        if (watched.stream().anyMatch(WatchJournal::isBehindALinkToNowhere)) {
            return; // nobody knows where that led
        }
        List<Path> away =
                watched.stream().filter(WatchJournal::isAway).map(RealPath::of).toList();
        marks.keySet().removeIf(place -> {
            Path file = Path.of(place.path());
            return away.stream().noneMatch(file::startsWith) && !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        });
    }

    private static boolean isBehindALinkToNowhere(Path directory) {
        return Stream.iterate(directory.toAbsolutePath(), Objects::nonNull, Path::getParent)
                .anyMatch(each -> Files.isSymbolicLink(each) && !Files.exists(each));
    }

    private static boolean isAway(Path directory) {
        try (Stream<Path> content = Files.list(directory)) {
            return content.findAny().isEmpty();
        } catch (IOException | UncheckedIOException e) {
            return true;
        }
    }

    /** Writes all marks into a new file, which takes the name of the old one. */
    private DiskFile writtenAnew() {
        Collection<Mark> all = marks.values();
        byte[] content =
                all.stream().map(Mark::line).collect(Collectors.joining()).getBytes(StandardCharsets.UTF_8);
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        disk.delete(fresh);
        DiskFile written = disk.open(fresh);
        try {
            written.write(ByteBuffer.wrap(content), 0);
            written.force();
            disk.rename(fresh, path);
            disk.syncDirectory(path.toAbsolutePath().resolveSibling(""));
        } catch (RuntimeException e) {
            written.close();
            throw e;
        }
        end = content.length;
        lines = all.size();
        mostLines = 2 * lines + spareLines;
        return written;
    }

    /** Returns whether this very file was published to the topic. */
    public synchronized boolean contains(String topic, WatchedFile candidate) {
        Mark mark = Mark.of(topic, candidate);
        return mark.equals(marks.get(mark.place()));
    }

    /**
     * Remembers that this very file was published to the topic, for good when this returns; when it throws, as for a full disk,
     * until the process ends, and for good when {@link #flush} has returned.
     */
    public synchronized void add(String topic, WatchedFile published) {
        Mark mark = Mark.of(topic, published);
        if (!mark.equals(marks.put(mark.place(), mark))) {
            unwritten.append(mark.line());
            lines++;
        }
        flush();
    }

    /** Writes what could not be written before. */
    public synchronized void flush() {
        if (unwritten.isEmpty()) {
            return;
        }
        if (lines > mostLines) {
            forgetVanished();
            DiskFile old = file;
            file = writtenAnew();
            old.close();
        } else {
            byte[] more = unwritten.toString().getBytes(StandardCharsets.UTF_8);
            file.write(ByteBuffer.wrap(more), end);
            file.force();
            end += more.length;
        }
        unwritten.setLength(0);
    }

    @Override
    public synchronized void close() {
        try {
            flush();
        } finally {
            file.close();
        }
    }
}
