package io.longhaul.agent.receive;

import io.longhaul.agent.DeliveryTarget;
import io.longhaul.agent.ExistingPolicy;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the final name of a verified transfer and gives it that name.
 *
 * <p>Of two transfers of the same name the later one stays. Finisher thread only, but for {@link
 * #isSuperseded}.
 */
final class Placement {
    private static final int OWNER_WRITES = 0200;

    private final ReceiverContext context;
    private final Disk disk;
    private final SubscribeRequest request;

    Placement(ReceiverContext context, SubscribeRequest request) {
        this.context = context;
        this.disk = context.disk();
        this.request = request;
    }

    Optional<DeliveryTarget> target() {
        return request.target();
    }

    /**
     * Returns the row that records the choice before the rename, or nothing when the transfer will not be renamed: kept,
     * superseded, or renamed before a crash. Throws {@link RefusedTransfer} when its name cannot be.
     */
    Optional<TransferRow> choose(Incoming incoming) {
        Optional<FileIdentity> identity = FileIdentity.of(staged(incoming));
        IncomingDetail detail = IncomingDetail.parse(incoming.row.detail())
                .withInto(incoming.target.root().toString())
                .withIdentity(identity.orElse(null));
        if (isPlaced(incoming)) {
            return Optional.empty();
        }
        incoming.placingSinceNs = context.nanoTime().getAsLong();
        Path place = incoming.target.place(placeName(incoming));
        ExistingPolicy policy = policy();
        if (isSuperseded(incoming)) {
            return end(incoming, detail, Receipt.Outcome.SUPERSEDED, "");
        }
        boolean taken = Files.exists(place, LinkOption.NOFOLLOW_LINKS);
        if (taken && policy == ExistingPolicy.KEEP) {
            return end(incoming, detail, Receipt.Outcome.KEPT, place.toString());
        }
        if (taken && policy == ExistingPolicy.RENAME) {
            place = free(place);
        }
        return Optional.of(incoming.row
                .withState(TransferState.PLACING)
                .withPath(place.toString())
                .withDetail(detail.withOutcome(Receipt.Outcome.DELIVERED, "").toJson()));
    }

    /** Whether it had its name before a crash, and so lies open to its user. */
    boolean isPlaced(Incoming incoming) {
        return incoming.row.state() == TransferState.PLACING
                && FileIdentity.of(staged(incoming))
                        .map(staged -> staged.isAt(Path.of(incoming.row.path())))
                        .orElseGet(() -> isRenamed(incoming));
    }

    /** A rename leaves the directory that it took the file from: where that is gone, too, somebody took both before. */
    private static boolean isRenamed(Incoming incoming) {
        FileIdentity chosen = IncomingDetail.parse(incoming.row.detail()).identity();
        return incoming.placed
                || incoming.staging.exists()
                || chosen != null && chosen.isAt(Path.of(incoming.row.path()));
    }

    /** The name is only in memory until the end is recorded: nothing was changed on disk, so a crash decides anew. */
    private static Optional<TransferRow> end(
            Incoming incoming, IncomingDetail detail, Receipt.Outcome outcome, String path) {
        incoming.row = incoming.row
                .withState(TransferState.COMPLETE)
                .withPath(path)
                .withDetail(detail.withOutcome(outcome, "").toJson());
        return Optional.empty();
    }

    private ExistingPolicy policy() {
        return request.isArchive() ? ExistingPolicy.REPLACE : request.existing();
    }

    private String placeName(Incoming incoming) {
        return request.isArchive() ? incoming.id() + "/" + incoming.manifest.name() : incoming.manifest.name();
    }

    /** Whether a later transfer of the name is in place, where only one can be. */
    boolean isSuperseded(Incoming incoming) {
        return !request.isArchive()
                && request.existing() == ExistingPolicy.REPLACE
                && context.ledger()
                        .latestDelivered(request.topic(), request.name(), incoming.manifest.name())
                        .filter(inPlace -> isLater(inPlace, incoming.row))
                        .isPresent();
    }

    /** The order of a manifest that its publisher has sent again is not known; then only the identities tell their age. */
    private static boolean isLater(TransferRow one, TransferRow other) {
        return one.order() > 0 && other.order() > 0
                ? one.order() > other.order()
                : one.transferId().compareTo(other.transferId()) > 0;
    }

    private static Path free(Path place) {
        Path name = place.getFileName();
        for (int number = 1; ; number++) {
            Path candidate = place.resolveSibling(numbered(String.valueOf(name), "~" + number));
            if (!Files.exists(candidate, LinkOption.NOFOLLOW_LINKS)) {
                return candidate;
            }
        }
    }

    private static String numbered(String name, String suffix) {
        String stem = name;
        while ((stem + suffix).getBytes(StandardCharsets.UTF_8).length > Names.MAX_COMPONENT_BYTES) {
            stem = stem.substring(0, stem.offsetByCodePoints(stem.length(), -1));
        }
        return stem + suffix;
    }

    /**
     * Gives it the chosen name, unless a crash came after that; adds the directories to be synced before the end is
     * recorded. Returns false when somebody else has taken the name since it was chosen.
     */
    boolean put(Incoming incoming, Set<Path> directories) {
        Path staged = staged(incoming);
        Path place = Path.of(incoming.row.path());
        Optional<FileIdentity> identity = FileIdentity.of(staged);
        if (identity.isPresent()) {
            if (!identity.get().isAt(place) && !move(incoming, staged, identity.get(), place)) {
                return false;
            }
            incoming.placed = true;
            if (appearsByLink(incoming)) {
                // at once: what its user takes away before the end is recorded must not appear again
                disk.delete(staged);
            }
        } else if (incoming.placingSinceNs != 0 && !incoming.placed) {
            throw lost(incoming, staged);
        }
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            if (incoming.manifest.tree() && Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                finishTop(incoming, place);
            }
            Path parent = place.getParent();
            if (parent != null) {
                directories.add(parent);
            }
        }
        // after the new name: with the old one gone first, a power loss between the two could take both
        if (incoming.staging.exists()) {
            directories.add(incoming.staging.directory());
        }
        return true;
    }

    /** Somebody took it away after it was verified. Recorded, so that the next start asks for it again: it would count as placed. */
    private StorageException lost(Incoming incoming, Path staged) {
        incoming.row = incoming.row.withState(TransferState.COMPLETE).withPath("");
        Commits.await(context.ledger().commit(List.of(new LedgerChange.PutTransfer(incoming.row))));
        return StorageException.of("place", staged, new NoSuchFileException(staged.toString()));
    }

    private boolean move(Incoming incoming, Path staged, FileIdentity identity, Path place) {
        incoming.target.place(incoming.target.relative(place));
        incoming.target.createParents(place);
        requireReadable(place.getParent());
        boolean replaces = policy() == ExistingPolicy.REPLACE;
        OptionalInt modeAside = replaces ? moveAside(incoming, place) : OptionalInt.empty();
        try {
            if (appearsByLink(incoming)) {
                link(staged, place);
            } else {
                // a directory with something in it is never replaced
                disk.rename(staged, place);
            }
            return true;
        } catch (StorageException e) {
            if (isSeenAt(identity, place, e)) {
                return true; // a network may have lost the answer
            }
            if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                putBack(incoming, place, modeAside);
            } else if (e instanceof PathRefusedException && (!replaces || !isReplaceable(incoming, place))) {
                return false;
            }
            throw FileIdentity.of(staged).isPresent() ? e : lost(incoming, staged);
        }
    }

    private static boolean isSeenAt(FileIdentity identity, Path place, StorageException why) {
        try {
            return identity.isAt(place);
        } catch (StorageException e) {
            why.addSuppressed(e);
            return false;
        }
    }

    /** Refuses before anything has moved what could not be made durable afterwards. */
    private static void requireReadable(@Nullable Path parent) {
        if (parent != null && !Files.isReadable(parent)) {
            throw new PathRefusedException(
                    "sync directory " + parent + ": expected a directory that may be read, found that it may not");
        }
    }

    /** A link replaces nothing, as a rename would. */
    private boolean appearsByLink(Incoming incoming) {
        return policy() != ExistingPolicy.REPLACE && !incoming.manifest.tree();
    }

    private void link(Path staged, Path place) {
        try {
            disk.createLink(place, staged);
        } catch (StorageException e) {
            if (e.code() != StorageException.Code.IO || Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            // not every file system has hard links
            disk.rename(staged, place);
        }
    }

    /**
     * A rename replaces a file by a file only; anything else that is in the way goes aside, to be removed at the end.
     * Returns the mode of a directory that had to change for that.
     */
    private OptionalInt moveAside(Incoming incoming, Path place) {
        OptionalInt locked = OptionalInt.empty();
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS) && !isReplaceable(incoming, place)) {
            disk.deleteTree(incoming.staging.old());
            locked = unlock(place);
            disk.rename(place, incoming.staging.old());
        }
        return locked;
    }

    private static boolean isReplaceable(Incoming incoming, Path place) {
        return !incoming.manifest.tree() && !Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
    }

    /** A directory that forbids its owner to write in it cannot get another parent; returns its mode if it did. */
    private OptionalInt unlock(Path place) {
        int mode = mode(place);
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS) || (mode & OWNER_WRITES) != 0) {
            return OptionalInt.empty();
        }
        setMode(place, mode | OWNER_WRITES);
        return OptionalInt.of(mode);
    }

    private void setMode(Path place, int mode) {
        FileIdentity.of(place).ifPresent(found -> disk.setAttributes(place, mode, found.modifiedNanos()));
    }

    private static int mode(Path place) {
        try {
            return (int) Files.getAttribute(place, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw StorageException.of("look at", place, e);
        }
    }

    /** What was delivered before must not go with the staging of what cannot take its place. */
    private void putBack(Incoming incoming, Path place, OptionalInt modeAside) {
        if (Files.exists(incoming.staging.old(), LinkOption.NOFOLLOW_LINKS)) {
            disk.rename(incoming.staging.old(), place);
            modeAside.ifPresent(mode -> setMode(place, mode));
        }
    }

    private void finishTop(Incoming incoming, Path place) {
        int mode = TargetDirectory.permissions(incoming.manifest.mode());
        disk.setAttributes(place, mode, incoming.manifest.modifiedNanos());
        if (Files.isReadable(place)) {
            disk.syncDirectory(place);
        }
    }

    /** Returns the row of the transfer's end. */
    TransferRow delivered(Incoming incoming, long nowNs) {
        IncomingDetail detail = IncomingDetail.parse(incoming.row.detail());
        IncomingDetail.Seconds seconds = detail.seconds();
        double placing = incoming.placingSinceNs == 0 ? 0 : (nowNs - incoming.placingSinceNs) / 1e9;
        IncomingDetail ended =
                detail.withSeconds(new IncomingDetail.Seconds(seconds.receive(), seconds.verify(), placing));
        if (detail.outcome() == Receipt.Outcome.DELIVERED) {
            ended = ended.withIdentity(
                    FileIdentity.of(Path.of(incoming.row.path())).orElse(detail.identity()));
        }
        return incoming.row.withState(TransferState.DELIVERED).withDetail(ended.toJson());
    }

    Receipt.Outcome outcome(Incoming incoming) {
        Receipt.Outcome outcome = IncomingDetail.parse(incoming.row.detail()).outcome();
        return outcome == null ? Receipt.Outcome.DELIVERED : outcome;
    }

    String receiptPath(Incoming incoming) {
        Path root = Path.of(IncomingDetail.parse(incoming.row.detail()).into());
        return incoming.row.path().isEmpty()
                ? ""
                : root.relativize(Path.of(incoming.row.path())).toString();
    }

    private static Path staged(Incoming incoming) {
        return incoming.manifest.tree() ? incoming.staging.tree() : incoming.staging.part();
    }
}
