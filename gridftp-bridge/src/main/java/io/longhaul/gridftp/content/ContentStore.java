package io.longhaul.gridftp.content;

import io.longhaul.gridftp.post.Number128;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.Floor;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contents of one process in one directory: for each a file with the bytes and a sidecar that says what is there. Keeps
 * those that nobody needs any more as long as they are few, young, and the disk has room.
 *
 * <p>Thread-safe; methods wait for the disk. Failures are {@link StorageException}s.
 */
public final class ContentStore {
    private static final Logger LOG = LoggerFactory.getLogger(ContentStore.class);
    private static final String BYTES = ".bytes";
    private static final String SIDECAR = ".sidecar";
    private static final String SECRET = "secret";
    private static final int SWEPT_EVERY = 16;
    private static final int MOST_KEPT = 4096;
    private static final int ROOM_BYTES = 16 * 1024 * 1024; // a process of 256 MiB of heap has no more to spare
    private static final long CHECKED_BYTES = 16L * 1024 * 1024;
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path directory;
    private final Disk disk;
    private final Limits limits;
    private final Clock clock;
    private final long boot;
    private final Map<Number128, Held> contents = new ConcurrentHashMap<>();
    private final AtomicLong unchecked = new AtomicLong(CHECKED_BYTES);
    private final AtomicLong created = new AtomicLong();
    private final Semaphore room = new Semaphore(ROOM_BYTES);
    private final Object filesLock = new Object(); // files are made and deleted by one thread at a time

    /**
     * How much is kept.
     *
     * @param keptBytes of contents that nobody needs any more
     * @param keptFor how long such a content is kept
     * @param floorBytes that stay free on the disk
     * @param inUse contents that somebody needs
     */
    public record Limits(long keptBytes, Duration keptFor, long floorBytes, int inUse) {
        /** 16 GiB for 24 hours, and 1 GiB free; 8,000 in use, since each has a call and there are 10,000 calls at a time. */
        public static final Limits DEFAULT = new Limits(16L << 30, Duration.ofHours(24), 1L << 30, 8_000);

        /** Returns the defaults for a directory, which may not be there yet: less stays free where the disk is small. */
        public static Limits on(Path directory) {
            return DEFAULT.withFloor(Floor.on(directory, DEFAULT.floorBytes));
        }

        static Limits ofDisk(long bytes) {
            return DEFAULT.withFloor(Floor.ofTotal(bytes, DEFAULT.floorBytes));
        }

        /** Returns the same with other bytes that stay free. */
        public Limits withFloor(long bytes) {
            return new Limits(keptBytes, keptFor, bytes, inUse);
        }
    }

    private record Held(Content content, ContentFile file) {}

    private ContentStore(Path directory, Disk disk, Limits limits, Clock clock, long boot) {
        this.directory = directory;
        this.disk = disk;
        this.limits = limits;
        this.clock = clock;
        this.boot = boot;
    }

    /**
     * Opens the directory, which is made when it is not there, and reads back what an earlier process left.
     *
     * @param boot what {@link #boot} returns
     * @throws StorageException also for contents of a version that this one does not know
     */
    public static ContentStore open(Path directory, Disk disk, Limits limits, Clock clock, long boot) {
        disk.createPrivateDirectory(directory);
        ContentStore store = new ContentStore(directory, disk, limits, clock, boot);
        Set<String> names = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (IOException e) {
            throw new StorageException(StorageException.Code.IO, directory + ": cannot be listed", e);
        }
        for (String name : names) {
            if (name.endsWith(SIDECAR)) {
                String id = name.substring(0, name.length() - SIDECAR.length());
                if (names.contains(id + BYTES)) {
                    store.recover(id);
                } else {
                    disk.delete(directory.resolve(name));
                }
            } else if (name.endsWith(BYTES)
                    && !names.contains(name.substring(0, name.length() - BYTES.length()) + SIDECAR)) {
                disk.delete(directory.resolve(name));
            }
        }
        return store;
    }

    /** Returns where they are. */
    public Path directory() {
        return directory;
    }

    /** Returns a number that is another one each time this machine is started; 0 when there is none to be found. */
    public static long boot() {
        try {
            UUID boot = UUID.fromString(Files.readString(BOOT).trim());
            return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits();
        } catch (IOException | IllegalArgumentException e) {
            return 0;
        }
    }

    private void recover(String name) {
        try {
            Number128 id = Number128.of(name);
            ContentFile file = new ContentFile(directory.resolve(name + BYTES), disk, this::take, new KeptBlocks(room));
            Content content = new Content(
                    id, file, reader -> Sidecar.open(directory.resolve(name + SIDECAR), disk, boot, id, reader));
            file.recover();
            contents.put(id, new Held(content, file));
        } catch (IllegalArgumentException e) {
            LOG.warn("{}: expected the name of a content, found {}", directory, name);
        } catch (StorageException e) {
            if (e.code() != StorageException.Code.DAMAGED) {
                throw e;
            }
            LOG.error("content {} is left as it is, and is of no use: {}", name, e.getMessage());
        }
    }

    /**
     * Returns bytes that only this directory's processes know, and all of them the same; made by the first one.
     *
     * @param fresh as many bytes as it is to have, from a source that nobody can guess
     */
    public byte[] secret(byte[] fresh) {
        Path path = directory.resolve(SECRET);
        try (DiskFile file = disk.open(path)) {
            byte[] known = new byte[fresh.length];
            if (file.length() == known.length) {
                file.read(ByteBuffer.wrap(known), 0);
                return known;
            }
            file.write(ByteBuffer.wrap(fresh), 0);
            file.force();
        }
        disk.syncDirectory(directory);
        return fresh.clone();
    }

    /** Makes a content with nothing in it but a note. */
    public Content create(Number128 id, String note) {
        synchronized (filesLock) {
            return made(id, note);
        }
    }

    /** Returns the content of a number, which is not evicted any more, or makes one with nothing in it but a note. */
    public Content findOrCreate(Number128 id, String note) {
        synchronized (filesLock) {
            Held held = contents.get(id);
            if (held == null) {
                return made(id, note);
            }
            held.content.evictable(false);
            return held.content;
        }
    }

    private Content made(Number128 id, String note) {
        if (created.incrementAndGet() % SWEPT_EVERY == 0) {
            sweep();
        }
        String name = id.toString();
        ContentFile file = new ContentFile(directory.resolve(name + BYTES), disk, this::take, new KeptBlocks(room));
        Sidecar sidecar = Sidecar.create(directory.resolve(name + SIDECAR), disk, boot, id);
        Content content = new Content(id, file, sidecar);
        file.recover();
        content.note(clock.instant(), note);
        contents.put(id, new Held(content, file));
        return content;
    }

    /** Returns the content of a number. */
    public Optional<Content> find(Number128 id) {
        return Optional.ofNullable(contents.get(id)).map(Held::content);
    }

    /** Returns whether as many contents are in use as there may be. */
    public boolean isFull() {
        return contents.size() >= limits.inUse()
                && contents.values().stream()
                                .filter(held -> !held.content.isEvictable())
                                .count()
                        >= limits.inUse();
    }

    /** Returns all contents, the one that was noted first first. */
    public List<Content> all() {
        return contents.values().stream()
                .map(Held::content)
                .sorted(Comparator.comparing(Content::noted))
                .toList();
    }

    /** Removes a content; who has it open gets failures. */
    public void remove(Content content) {
        synchronized (filesLock) {
            Held held = contents.get(content.id());
            if (held != null && held.content == content) {
                contents.remove(content.id());
                held.file.retire();
                delete(content.id());
            }
        }
    }

    /** Removes those that are kept in case that somebody wants them, and are too many or too old. */
    public void sweep() {
        Instant oldest = clock.instant().minus(limits.keptFor());
        List<Content> kept = all().stream().filter(Content::isEvictable).toList();
        long bytes = kept.stream().mapToLong(Content::coveredBytes).sum();
        int count = kept.size();
        for (Content content : kept) {
            if (bytes > limits.keptBytes()
                    || count > MOST_KEPT
                    || content.noted().isBefore(oldest)) {
                evict(content);
                bytes -= content.coveredBytes();
                count--;
            }
        }
    }

    private boolean evict(Content content) {
        synchronized (filesLock) {
            Held held = contents.get(content.id());
            if (held == null || held.content != content || !held.file.retireIfEvictable()) {
                return false;
            }
            contents.remove(content.id());
            delete(content.id());
            return true;
        }
    }

    /** The sidecar goes first: without the bytes it would promise what is not there. */
    private void delete(Number128 id) {
        disk.delete(directory.resolve(id + SIDECAR));
        disk.delete(directory.resolve(id + BYTES));
    }

    /**
     * Makes room for bytes that will come.
     *
     * @throws StorageException {@code NO_SPACE} when there is none, even without what need not be kept
     */
    public void reserve(long bytes) {
        long needed = bytes > Long.MAX_VALUE - limits.floorBytes() ? Long.MAX_VALUE : bytes + limits.floorBytes();
        if (disk.usableSpace(directory) >= needed) {
            return;
        }
        // one at a time: what another one is removing is no more among what is kept, and not free yet
        synchronized (filesLock) {
            makeRoom(bytes, needed);
        }
    }

    private void makeRoom(long bytes, long needed) {
        long usable = disk.usableSpace(directory);
        if (usable >= needed) {
            return;
        }
        List<Content> kept = all().stream().filter(Content::isEvictable).toList();
        boolean suffices = kept.stream().mapToLong(Content::coveredBytes).sum() >= needed - usable;
        // what would not make room enough is of more use where it is
        for (Content content : suffices ? kept : List.<Content>of()) {
            if (evict(content) && disk.usableSpace(directory) >= needed) {
                return;
            }
        }
        long free = disk.usableSpace(directory);
        if (free < needed) {
            throw new StorageException(
                    StorageException.Code.NO_SPACE,
                    directory + ": no space: needed " + bytes + " bytes, and " + limits.floorBytes()
                            + " are to stay free, free " + free + " bytes");
        }
    }

    private void take(int bytes) {
        // looking each time would cost more than writing
        if (unchecked.addAndGet(bytes) >= CHECKED_BYTES) {
            reserve(CHECKED_BYTES);
            // where there is no room everybody is told, not only the one who looked
            unchecked.set(0);
        }
    }
}
