package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where files lie while they are published and for a while after, and when their bytes and names go. Thread-safe.
 *
 * <p>Bytes stay while the agent may still need them: until all have answered, or the network has had everything for a day.
 * After that only clients need them, who compare checksums, read back, or store the same again.
 */
final class Shelf {
    private static final Logger LOG = LoggerFactory.getLogger(Shelf.class);
    private static final FilePath ARRIVING = FilePath.of("/arriving");
    private static final FilePath FILES = FilePath.of("/files");
    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration WAITED = Duration.ofHours(24);

    private final Path root;
    private final DirectoryBackend store;
    private final Records records;
    private final Catalogue catalogue;
    private final TopicsConfig config;
    private final World world;
    private final Map<String, Since> safe = new LinkedHashMap<>(); // by id; guarded by this
    private final Map<String, Since> kept = new LinkedHashMap<>(); // by id, oldest first; guarded by this
    private final Map<String, Since> listed = new LinkedHashMap<>(); // by id, oldest first; guarded by this
    private boolean looks; // guarded by this

    private record Since(PublishedFile file, Instant time) {}

    Shelf(Path root, DirectoryBackend store, Records records, Catalogue catalogue, TopicsConfig config, World world) {
        this.root = root;
        this.store = store;
        this.records = records;
        this.catalogue = catalogue;
        this.config = config;
        this.world = world;
    }

    /** Makes its directories, puts there what has a record, and removes what has none; waits for the disk. */
    void open(List<PublishedFile> known) {
        List<FilePath> directories = List.of(ARRIVING, FILES);
        directories.forEach(directory ->
                store.makeDirectory(directory).exceptionally(there -> null).join());
        known.stream()
                .filter(file -> file.state() == State.WAITING && file.transfer().isEmpty())
                .forEach(this::place);
        for (FilePath directory : directories) {
            store.list(directory)
                    .thenAccept(entries -> entries.stream()
                            .map(entry -> directory.resolve(entry.name()))
                            .filter(path -> known.stream()
                                    .noneMatch(file -> stored(file).equals(path)))
                            .forEach(store::deleteFile))
                    .join();
        }
    }

    /** Puts a file that has a record in its place, unless it is there already. */
    private void place(PublishedFile file) {
        if (!Files.exists(place(stored(file)))) {
            store.rename(Intake.slot(file.path()), stored(file))
                    .exceptionally(failure -> {
                        LOG.warn("{}: its bytes are gone: {}", file.path(), failure.getMessage());
                        return null;
                    })
                    .join();
        }
    }

    /** Returns where bytes for a slot come in. */
    static FilePath arriving(String slot) {
        return ARRIVING.resolve(slot);
    }

    /** Returns where a file lies in the store. */
    static FilePath stored(PublishedFile file) {
        return FILES.resolve(file.id());
    }

    /** Returns where something of the store lies on the machine. */
    Path place(FilePath inStore) {
        return root.resolve(inStore.toString().substring(1));
    }

    /** Returns what a failure is to a client, who knows a file's path and not where its bytes are. */
    BackendException refusal(PublishedFile file, Throwable why) {
        BackendException refusal = Refusals.of(file.path(), why);
        return refusal.inWords(text -> named(file, root, named(file, root.toAbsolutePath(), text)));
    }

    private static String named(PublishedFile file, Path root, String text) {
        String stored = root.resolve(stored(file).toString().substring(1)).toString();
        String named = text.replace(stored, file.path().toString());
        Path directory = root.getParent();
        return directory == null ? named : named.replace(directory.toString(), "--data");
    }

    /** Returns whether the bytes of a file are here, all of them; yes when that cannot be seen at the moment. */
    boolean has(PublishedFile file) {
        try {
            return Files.size(place(stored(file))) == file.length();
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether a newer file of its path has gone out, as long as that is listed. */
    synchronized boolean isReplaced(PublishedFile file) {
        return listed.values().stream().anyMatch(since -> since.file().isNewer(file));
    }

    void show(PublishedFile file) {
        catalogue.put(file);
    }

    /** The network has all of it. */
    void safe(PublishedFile file) {
        synchronized (this) {
            safe.put(file.id(), new Since(file, world.clock().instant()));
        }
        watch();
    }

    /** Nothing more will happen to it. */
    void over(PublishedFile file) {
        synchronized (this) {
            Since since = new Since(file, world.clock().instant());
            safe.remove(file.id());
            kept.put(file.id(), since);
            listed.put(file.id(), since);
        }
        catalogue.put(file);
        tidy();
        watch();
    }

    /** It came to nothing. */
    void drop(PublishedFile file) {
        synchronized (this) {
            safe.remove(file.id());
        }
        forget(file);
        dropBytes(file);
    }

    private void forget(PublishedFile file) {
        catalogue.remove(file);
        try {
            records.remove(file);
        } catch (BackendException e) {
            LOG.warn("record {}: {}", file.id(), e.getMessage());
        }
    }

    private void dropBytes(PublishedFile file) {
        CompletableFuture<Void> dropped = store.deleteFile(stored(file));
        dropped.exceptionally(failure -> {
            LOG.debug("file {}", file.id(), failure);
            return null;
        });
    }

    private void watch() {
        synchronized (this) {
            if (looks || safe.isEmpty() && kept.isEmpty() && listed.isEmpty()) {
                return;
            }
            looks = true;
        }
        world.delay()
                .call(
                        LOOK,
                        () -> world.workers().execute(() -> {
                            synchronized (this) {
                                looks = false;
                            }
                            tidy();
                            watch();
                        }));
    }

    private void tidy() {
        Instant now = world.clock().instant();
        List<Since> bytes;
        List<Since> names;
        synchronized (this) {
            bytes = new ArrayList<>(taken(safe, now.minus(WAITED)));
            bytes.addAll(taken(kept, now.minus(config.keptFor())));
            long sum = kept.values().stream()
                    .mapToLong(each -> each.file().length())
                    .sum();
            Iterator<Since> oldest = kept.values().iterator();
            for (int left = kept.size(); left > 1 && sum > config.keptBytes(); left--) {
                Since next = oldest.next();
                oldest.remove();
                sum -= next.file().length();
                bytes.add(next);
            }
            names = new ArrayList<>(taken(listed, now.minus(config.listedFor())));
            Iterator<Since> first = listed.values().iterator();
            for (int left = listed.size(); left > config.listedFiles(); left--) {
                names.add(first.next());
                first.remove();
            }
            names.forEach(each -> kept.remove(each.file().id()));
            bytes.addAll(names);
        }
        names.forEach(each -> forget(each.file()));
        bytes.forEach(each -> dropBytes(each.file()));
    }

    private static List<Since> taken(Map<String, Since> from, Instant before) {
        List<Since> taken = from.values().stream()
                .takeWhile(each -> each.time().isBefore(before))
                .toList();
        taken.forEach(each -> from.remove(each.file().id()));
        return taken;
    }
}
