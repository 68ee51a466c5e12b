package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.file.Failures;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Takes files that are whole, in the order in which they became so.
 *
 * <p>A client that was never told that its file is stored sends it again. When it has the same bytes then, it is the same
 * file: the client waits for the first one's receipts, and nothing goes out twice.
 */
final class Intake {
    private static final int MILLIS_SHIFT = 10;

    private final DirectoryBackend store;
    private final Records records;
    private final Shelf shelf;
    private final Catalogue catalogue;
    private final Deliveries deliveries;
    private final Duration patience;
    private final World world;
    private final Turns turns = new Turns();
    private final AtomicLong last = new AtomicLong();

    /** Takes the parts of a back end. */
    Intake(
            DirectoryBackend store,
            Records records,
            Shelf shelf,
            Catalogue catalogue,
            Deliveries deliveries,
            Duration patience,
            World world) {
        this.store = store;
        this.records = records;
        this.shelf = shelf;
        this.catalogue = catalogue;
        this.deliveries = deliveries;
        this.patience = patience;
        this.world = world;
    }

    /** Returns where the bytes for a path come in: always the same place, so that a transfer can be resumed. */
    static FilePath slot(FilePath path) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(path.toString().getBytes(StandardCharsets.UTF_8));
            return Shelf.arriving(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks SHA-256", e);
        }
    }

    /** Ends a write and publishes what it has brought; told when enough have it. */
    CompletableFuture<Entry> publish(FilePath path, Sink staging, Quorum quorum, LongConsumer progress) {
        return turns.run(
                        path,
                        () -> staging.commit(progress)
                                .thenApplyAsync(entry -> delivery(path, entry, quorum), world.workers()))
                .thenCompose(delivery -> await(delivery, quorum, progress));
    }

    private CompletableFuture<Entry> await(Delivery delivery, Quorum quorum, LongConsumer progress) {
        long length = delivery.file().length();
        return delivery.await(quorum, () -> progress.accept(length), patience)
                .whenComplete((enough, failure) -> {
                    // who waited too long is told so, and the file goes on
                    boolean isRefused = failure instanceof BackendException known && known.code() == Code.FAILED;
                    if (isRefused || failure != null && delivery.isLost()) {
                        catalogue.hide(delivery.file());
                    }
                })
                .thenApply(enough -> {
                    catalogue.reveal(delivery.file());
                    world.workers().execute(() -> deliveries.told(delivery));
                    return delivery.file().entry();
                });
    }

    private Delivery delivery(FilePath path, Entry entry, Quorum quorum) {
        Optional<Delivery> before = catalogue
                .file(path)
                .filter(file -> isSame(file, entry, slot(path)))
                .flatMap(file -> deliveries.find(file).or(() -> delivered(file)));
        if (before.isPresent()) {
            store.deleteFile(slot(path)).join();
            return before.get();
        }
        PublishedFile file =
                new PublishedFile(newId(), path, entry.length(), entry.modified(), List.of(), "", State.WAITING, false);
        records.put(file);
        try {
            store.rename(slot(path), Shelf.stored(file)).join();
        } catch (CompletionException e) {
            // the client hears of it, so that no later process may publish it
            shelf.drop(file);
            throw BackendException.cause(e) instanceof BackendException known
                    ? known.inWords(words -> words.replace(Shelf.stored(file).toString(), path.toString()))
                    : e;
        }
        shelf.show(file);
        return deliveries.start(file, quorum);
    }

    /** Looks again, as it may have ended meanwhile; one that failed has not been stored. */
    private Optional<Delivery> delivered(PublishedFile before) {
        return catalogue
                .file(before.path())
                .filter(file -> file.id().equals(before.id()) && file.state() == State.DELIVERED)
                .map(file -> Delivery.over(file, world));
    }

    private String newId() {
        long now = world.clock().millis() << MILLIS_SHIFT;
        return HexFormat.of().toHexDigits(last.updateAndGet(before -> Math.max(before + 1, now)));
    }

    private boolean isSame(PublishedFile before, Entry now, FilePath slot) {
        Path place = shelf.place(Shelf.stored(before));
        if (before.isTold()
                || before.state() == State.OVER
                || before.length() != now.length()
                || !Files.exists(place)) {
            return false;
        }
        try {
            return Files.mismatch(shelf.place(slot), place) < 0;
        } catch (IOException e) {
            throw Failures.of(before.path(), e);
        }
    }
}
