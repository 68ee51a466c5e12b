package io.longhaul.agent.receive;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the bytes of delivered transfers for repairs: hard links under {@code INTO/.longhaul/held}, so that they stay
 * when the delivered file is replaced or removed. A file that is changed in place is no longer given out.
 *
 * <p>May be used from any thread; calls for one transfer are serialised.
 */
public final class Holdings {
    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);
    private static final String FILE = "file";
    private static final String UNFINISHED = ".new";

    private static final int LOCKS = 64;

    private final Ledger ledger;
    private final Disk disk;
    /** One for many transfers, so that who links a large tree, or waits for a dead mount, holds up few others. */
    private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();

    /** Holds transfers of this ledger. */
    public Holdings(Ledger ledger, Disk disk) {
        this.ledger = ledger;
        this.disk = disk;
    }

    /**
     * Returns how many pieces, from index 0 on, can be promised now: {@link Long#MAX_VALUE} for a delivered transfer, 0
     * for one that is not here any more.
     */
    public long holdThrough(TransferRow row) {
        return switch (row.state()) {
            case DELIVERED, RECEIPTED ->
                whereHeld(row)
                                .or(() -> whereInPlace(row))
                                .filter(Holdings::mayBeRead)
                                .isPresent()
                        ? Long.MAX_VALUE
                        : 0;
            case RECEIVING, COMPLETE, PLACING -> ledger.safePieces(row.key()).nextClearBit(0);
            case SENDING, SENT, COMPLETED, FAILED, CANCELLED -> 0;
        };
    }

    /**
     * Makes sure that the bytes stay, durable; false when they are not here any more. What is still being received
     * stays by itself until it is delivered, and is held once this is called after that.
     */
    public boolean hold(TransferRow row) {
        synchronized (lock(row.transferId())) {
            return switch (row.state()) {
                case DELIVERED, RECEIPTED -> whereHeld(row).isPresent() || isLinked(row);
                case RECEIVING, COMPLETE, PLACING -> true;
                case SENDING, SENT, COMPLETED, FAILED, CANCELLED -> false;
            };
        }
    }

    /** Gives up what {@link #hold} kept. */
    public void release(TransferRow row) {
        synchronized (lock(row.transferId())) {
            disk.deleteTree(held(row));
        }
    }

    /**
     * Removes what a crash left here of a subscription's transfers that are promised to nobody; nothing when the ledger has lost
     * changes, as promises may be among them.
     */
    void sweep(Path into, String subscription) {
        Path all = TargetDirectory.heldIn(into);
        if (!Files.isDirectory(all) || ledger.setting(Ledger.DAMAGE_SETTING).isPresent()) {
            return;
        }
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(all, "*@" + subscription + "{," + UNFINISHED + "}")) {
            left.forEach(each -> removeUnlessPromised(each, subscription));
        } catch (IOException | DirectoryIteratorException | StorageException e) {
            LOG.warn("what is held for nobody in {} stays: {}", all, e.toString());
        }
    }

    private void removeUnlessPromised(Path held, String subscription) {
        String name = String.valueOf(held.getFileName());
        String id = name.substring(0, name.indexOf('@'));
        synchronized (lock(id)) {
            // what is not of this ledger may be another agent's
            boolean known =
                    ledger.transfer(Direction.INCOMING, id, subscription).isPresent();
            if (known && ledger.leases(id).isEmpty()) {
                disk.deleteTree(held);
            }
        }
    }

    /** Removes what is staged of a transfer that has ended, but first keeps what was promised: nobody is promised it in between. */
    void discard(TransferRow row, Runnable staged) {
        synchronized (lock(row.transferId())) {
            if (!ledger.leases(row.transferId()).isEmpty()) {
                hold(row);
            }
            staged.run();
        }
    }

    private Object lock(String transfer) {
        return locks[Math.floorMod(transfer.hashCode(), LOCKS)];
    }

    /**
     * A tree may forbid its owner to read it, be taken away at once, or lie where no links are; only its repairs are lost by
     * that.
     */
    private boolean isLinked(TransferRow row) {
        try {
            return link(row);
        } catch (StorageException e) {
            if (e.code() != StorageException.Code.IO) {
                throw e;
            }
            LOG.warn("transfer {} cannot be kept for repairs: {}", row.transferId(), e.getMessage());
            disk.deleteTree(unfinished(row));
            return false;
        }
    }

    private boolean link(TransferRow row) {
        Optional<Path> place = whereInPlace(row).or(() -> whereStaged(row));
        if (place.isEmpty()) {
            return false;
        }
        Path held = held(row);
        Path parent = Objects.requireNonNull(held.getParent());
        Path unfinished = unfinished(row);
        disk.createDirectories(parent);
        disk.deleteTree(unfinished);
        disk.createDirectory(unfinished);
        if (Files.isDirectory(place.get(), LinkOption.NOFOLLOW_LINKS)) {
            linkTree(place.get(), unfinished.resolve(FILE));
        } else {
            requireReadable(place.get());
            disk.createLink(unfinished.resolve(FILE), place.get());
            if (!isOfTransfer(row, unfinished.resolve(FILE))) {
                disk.deleteTree(unfinished);
                return false;
            }
        }
        disk.syncDirectory(unfinished);
        disk.deleteTree(held);
        disk.rename(unfinished, held);
        disk.syncDirectory(parent);
        return true;
    }

    private void linkTree(Path from, Path to) {
        Deque<Path> pending = new ArrayDeque<>();
        pending.push(from);
        while (!pending.isEmpty()) {
            Path directory = pending.pop();
            Path copy = to.resolve(from.relativize(directory));
            requireReadable(directory);
            disk.createDirectory(copy);
            try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
                for (Path child : children) {
                    if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                        pending.push(child);
                    } else if (Files.isRegularFile(child, LinkOption.NOFOLLOW_LINKS)) {
                        requireReadable(child);
                        disk.createLink(copy.resolve(child.getFileName()), child);
                    }
                }
            } catch (IOException e) {
                throw StorageException.of("list", directory, e);
            }
            disk.syncDirectory(copy);
        }
    }

    /** What may not be read now can never be given out. */
    private static void requireReadable(Path path) {
        boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        if (!Files.isReadable(path) || directory && !Files.isExecutable(path)) {
            throw new PathRefusedException("keep " + path + ": expected a " + (directory ? "directory" : "file")
                    + " that may be read, found that it may not");
        }
    }

    private static boolean mayBeRead(Path delivered) {
        return Files.isDirectory(delivered, LinkOption.NOFOLLOW_LINKS) || Files.isReadable(delivered);
    }

    /** Returns where a held transfer's file or tree lies. */
    static Optional<Path> whereHeld(TransferRow row) {
        Path file = held(row).resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) || isOfTransfer(row, file)
                ? Optional.of(file)
                : Optional.empty();
    }

    /** Returns where a transfer was delivered to, if what lies there is still what was delivered. */
    static Optional<Path> whereInPlace(TransferRow row) {
        if (row.path().isEmpty()) {
            return Optional.empty();
        }
        Path place = Path.of(row.path());
        return isDelivered(row) && isOfTransfer(row, place) ? Optional.of(place) : Optional.empty();
    }

    /** Returns where a verified transfer still lies that ended without a place of its own: kept, or superseded. */
    private static Optional<Path> whereStaged(TransferRow row) {
        if (isDelivered(row)) {
            return Optional.empty();
        }
        Path staging = TargetDirectory.staging(
                Path.of(IncomingDetail.parse(row.detail()).into()), row.transferId(), row.subscription());
        return Stream.of(Staging.partIn(staging), Staging.treeIn(staging))
                .filter(path -> isOfTransfer(row, path))
                .findFirst();
    }

    private static boolean isDelivered(TransferRow row) {
        return IncomingDetail.parse(row.detail()).outcome() == Receipt.Outcome.DELIVERED;
    }

    private static boolean isOfTransfer(TransferRow row, Path path) {
        FileIdentity delivered = IncomingDetail.parse(row.detail()).identity();
        if (delivered == null) {
            return false;
        }
        // adding a name to a delivered tree changes its top directory, but none of the files that it came with
        boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        return directory
                ? delivered.isAt(path)
                : FileIdentity.of(path).filter(delivered::equals).isPresent();
    }

    private static Path unfinished(TransferRow row) {
        Path held = held(row);
        return held.resolveSibling(held.getFileName() + UNFINISHED);
    }

    private static Path held(TransferRow row) {
        return TargetDirectory.held(
                Path.of(IncomingDetail.parse(row.detail()).into()), row.transferId(), row.subscription());
    }
}
