package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Digests;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryCodec;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Names;
import io.longhaul.wire.PackCodec;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TreeDigest;
import io.longhaul.wire.WireException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts a tree together in staging from its packs and large files, and verifies it on the way.
 *
 * <p>Small files are written from the packs, each one forced, or all together at the end when they are many and the file
 * system can do that; large files are linked from where their pieces were
 * written; symbolic links come last, so that no path ever leads through one; directories get mode and time at the end
 * and are synced. A crash repeats it all from the packs. Used once.
 */
final class TreeAssembly {
    private static final int OWNER_ALL = 0700;

    /** From as many entries on, one sync of the file system costs less than forcing each file. */
    static final int MANY = 256;

    private static final byte[] NOTHING = Digests.sha256().digest();

    private final ReceiverContext context;
    private final Disk disk;
    private final Incoming incoming;
    private final Verification verification;
    private final Path tree;
    private final TreeNames names;
    private final Seal seal;
    private final Coverage coverage = new Coverage();
    private final BitSet damaged = new BitSet();
    private final MessageDigest content = Digests.sha256();
    private CompletableFuture<Void> recorded = CompletableFuture.completedFuture(null);
    private long packed;
    private long next;
    private long bytes;
    private boolean hasLinks;
    private boolean together;

    TreeAssembly(ReceiverContext context, Incoming incoming, Verification verification) {
        this.context = context;
        this.disk = context.disk();
        this.incoming = incoming;
        this.verification = verification;
        this.tree = incoming.staging.tree();
        this.names = new TreeNames(disk, tree);
        this.seal = incoming.sealed();
    }

    /** Returns the damaged pieces, none when the tree is ready; throws {@link RefusedTransfer} when it can never be. */
    BitSet assemble() {
        disk.createDirectories(incoming.staging.directory());
        disk.deleteTree(tree);
        disk.createDirectory(tree);
        together = seal.entries() >= MANY && disk.canSyncFileSystem(tree);
        try {
            try (Forces forces = new Forces(context.threads())) {
                unpack(forces);
                forces.await();
            }
            if (!damaged.isEmpty()) {
                return damaged;
            }
            Commits.await(recorded);
            join();
            if (!damaged.isEmpty()) {
                return damaged;
            }
            finishNames();
        } catch (WireException e) {
            throw new RefusedTransfer(String.valueOf(e.getMessage()), e);
        }
        return damaged;
    }

    private void unpack(Forces forces) {
        Path packs = incoming.staging.packs();
        boolean any = Files.exists(packs, LinkOption.NOFOLLOW_LINKS);
        try (DiskFile file = any ? incoming.staging.reopen(packs) : null) {
            context.ledger().forEachPiece(incoming.row.key(), row -> {
                if (row.kind() == PieceHeader.Kind.PACK.code()) {
                    unpack(file, row, forces);
                } else {
                    coverage.add(row.entry(), row.offset(), row.length());
                }
            });
        }
    }

    private void unpack(@Nullable DiskFile packs, PieceRow row, Forces forces) {
        requireOpen();
        ByteBuffer body = ByteBuffer.allocate(row.length());
        if (packs != null) {
            packs.read(body, incoming.staging.positionOf(PieceHeader.Kind.PACK, row.index(), 0));
        }
        if (body.hasRemaining() || Verification.crc(body.flip()) != row.crc32c()) {
            damaged.set((int) row.index());
            return;
        }
        List<EntryRow> rows = new ArrayList<>();
        for (PackCodec.Packed each : PackCodec.decode(body)) {
            content.update(each.content().duplicate());
            rows.add(new EntryRow(
                    each.entry().number(), row.index(), EntryCodec.encode(each.entry()), content.digest()));
            if (damaged.isEmpty()) {
                create(each.entry(), each.content(), forces);
            }
        }
        packed += rows.size();
        record(rows);
    }

    /** Only all commits together say that the entries are there: one may fail for want of space and a later one not. */
    private void record(List<EntryRow> rows) {
        recorded = CompletableFuture.allOf(
                recorded, context.ledger().commit(List.of(new LedgerChange.PutEntries(incoming.row.key(), rows))));
    }

    private void create(Entry entry, ByteBuffer bytesOfFile, Forces forces) {
        switch (entry.type()) {
            case FILE -> {
                DiskFile file = names.createFile(entry, bytesOfFile);
                if (together) {
                    file.close();
                } else {
                    forces.add(file);
                }
            }
            case DIRECTORY -> names.createDirectory(entry);
            case SYMLINK -> hasLinks = true;
        }
    }

    /** Goes through all entries in order: large files get their names, and the digest of the tree is computed. */
    private void join() {
        TreeDigest digest = new TreeDigest();
        context.ledger().forEachEntry(incoming.row.key(), row -> {
            if (row.number() != next) {
                throw new RefusedTransfer("entries: expected number " + next + ", found " + row.number());
            }
            next++;
            Entry entry = EntryCodec.decode(ByteBuffer.wrap(row.encoded()));
            bytes += entry.length();
            boolean large = coverage.has(row.number());
            byte[] sha = large ? link(entry) : row.sha256();
            if (sha.length == 0 && entry.length() == 0) {
                sha = NOTHING;
            }
            if (sha.length != NOTHING.length) {
                throw new RefusedTransfer("entry " + row.number() + " " + Names.shown(entry.path())
                        + ": expected its content, found none");
            }
            digest.add(entry, sha);
            if (large) {
                record(List.of(new EntryRow(row.number(), row.piece(), row.encoded(), sha)));
            }
        });
        Commits.await(recorded);
        if (!damaged.isEmpty()) {
            return;
        }
        String found = digest.hex();
        boolean counts = next == seal.entries() && packed + coverage.files() == next && bytes == seal.length();
        if (!found.equals(seal.digest())) {
            findDamage();
        }
        if (damaged.isEmpty() && (!counts || !found.equals(seal.digest()))) {
            throw new RefusedTransfer("tree: expected " + seal.entries() + " entries, " + seal.length()
                    + " bytes, digest " + seal.digest() + ", found " + next + " entries (" + packed + " packed, "
                    + coverage.files() + " large), " + bytes + " bytes, digest " + found);
        }
    }

    /** Gives a large file its name and returns the digest of its content; an empty one when it is damaged. */
    private byte[] link(Entry entry) {
        coverage.requireLength(entry.number(), entry.length());
        Path file = incoming.staging.file(entry.number());
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            piecesOf(entry.number(), row -> damaged.set((int) row.index()));
            return NOTHING;
        }
        byte[] known = incoming.resumed ? null : incoming.passed.get(entry.number());
        try (DiskFile open = incoming.staging.reopen(file)) {
            if (known == null) {
                SequentialDigest digest = new SequentialDigest();
                digest.readBack(open, entry.length(), verification.closing());
                known = digest.finish();
            }
            names.setAttributes(file, entry);
            open.force();
        }
        names.link(entry, file);
        return known;
    }

    /** Looks for damage in large files that were not hashed as they passed. */
    private void findDamage() {
        if (!incoming.resumed) {
            return;
        }
        context.ledger().forEachPiece(incoming.row.key(), row -> {
            if (row.kind() != PieceHeader.Kind.PACK.code()) {
                try (DiskFile file = incoming.staging.reopen(incoming.staging.file(row.entry()))) {
                    if (!verification.isIntact(file, row.offset(), row)) {
                        damaged.set((int) row.index());
                    }
                }
            }
        });
    }

    private void piecesOf(long entry, Consumer<PieceRow> action) {
        context.ledger().forEachPiece(incoming.row.key(), row -> {
            if (row.entry() == entry && row.kind() != PieceHeader.Kind.PACK.code()) {
                action.accept(row);
            }
        });
    }

    private void finishNames() {
        names.requireAnnounced();
        if (hasLinks) {
            context.ledger().forEachEntry(incoming.row.key(), row -> {
                Entry entry = EntryCodec.decode(ByteBuffer.wrap(row.encoded()));
                if (entry.type() == EntryType.SYMLINK) {
                    names.createSymbolicLink(entry);
                }
            });
        }
        names.requireCount(seal.entries());
        finishDirectories();
    }

    /** A directory that forbids its owner to enter gets its mode after everything below it. */
    private void finishDirectories() {
        List<Entry> forbidding = new ArrayList<>();
        context.ledger().forEachEntry(incoming.row.key(), row -> {
            Entry entry = EntryCodec.decode(ByteBuffer.wrap(row.encoded()));
            if (entry.type() == EntryType.DIRECTORY) {
                Path path = names.path(entry);
                disk.setAttributes(path, TargetDirectory.permissions(entry.mode()) | OWNER_ALL, entry.modifiedNanos());
                sync(path);
                if ((entry.mode() & OWNER_ALL) != OWNER_ALL) {
                    forbidding.add(entry);
                }
            }
        });
        for (int i = forbidding.size() - 1; i >= 0; i--) {
            Entry entry = forbidding.get(i);
            Path path = names.path(entry);
            names.setAttributes(path, entry);
            if (Files.isReadable(path)) {
                sync(path);
            }
        }
        disk.setAttributes(
                tree,
                TargetDirectory.permissions(incoming.manifest.mode()) | OWNER_ALL,
                incoming.manifest.modifiedNanos());
        sync(tree);
        sync(incoming.staging.directory());
        if (together) {
            syncAll();
        }
    }

    /** A signal to the whole group of processes ends the program that does it, too. */
    private void syncAll() {
        try {
            disk.syncFileSystem(incoming.staging.directory());
        } catch (StorageException e) {
            requireOpen();
            throw e;
        }
    }

    private void requireOpen() {
        if (verification.closing().getAsBoolean()) {
            throw new StorageException(StorageException.Code.CLOSED, "assembly stopped: the subscription closes");
        }
    }

    private void sync(Path directory) {
        if (!together) {
            disk.syncDirectory(directory);
        }
    }
}
