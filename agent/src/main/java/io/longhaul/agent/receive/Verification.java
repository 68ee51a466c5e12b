package io.longhaul.agent.receive;

import io.longhaul.storage.DiskFile;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Seal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/**
 * Compares what lies in staging with the seal, and makes it ready to be renamed: forced, with mode and times.
 *
 * <p>Bytes that passed through this process in order, into a file that nobody else has changed, were hashed then; all
 * others are read back. A difference is traced
 * to damaged pieces by their own checksums; with none damaged the publisher's seal is wrong. Finisher thread only.
 */
final class Verification {
    private final ReceiverContext context;
    private final BooleanSupplier closing;

    Verification(ReceiverContext context, BooleanSupplier closing) {
        this.context = context;
        this.closing = closing;
    }

    /**
     * Returns the pieces that are damaged on disk, none when the transfer is ready; throws {@link RefusedTransfer} when
     * it can never be.
     */
    BitSet verify(Incoming incoming) {
        incoming.staging.removeLinks();
        if (!incoming.staging.areAllAsLeft()) {
            incoming.distrustPassed();
        }
        return incoming.manifest.tree() ? new TreeAssembly(context, incoming, this).assemble() : verifyFile(incoming);
    }

    private BitSet verifyFile(Incoming incoming) {
        Seal seal = incoming.sealed();
        Coverage coverage = new Coverage();
        context.ledger().forEachPiece(incoming.row.key(), row -> coverage.add(0, row.offset(), row.length()));
        coverage.requireLength(0, seal.length());
        Path part = incoming.staging.part();
        if (!Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
            if (seal.pieces() > 0) {
                return all(incoming);
            }
            createEmpty(incoming.staging);
        }
        try (DiskFile file = incoming.staging.reopen(part)) {
            if (file.length() != seal.length()) {
                file.setLength(seal.length());
            }
            SequentialDigest digest = incoming.resumed ? null : incoming.digests.remove(0L);
            String found = digestOf(digest == null ? new SequentialDigest() : digest, file, seal.length());
            if (!found.equals(seal.digest())) {
                BitSet damaged = damagedPieces(incoming, file);
                if (damaged.isEmpty()) {
                    throw new RefusedTransfer("digest: expected " + seal.digest() + ", found " + found
                            + ", though every piece is as it was sent");
                }
                incoming.resumed = true;
                return damaged;
            }
            context.disk()
                    .setAttributes(
                            part,
                            TargetDirectory.permissions(incoming.manifest.mode()),
                            incoming.manifest.modifiedNanos());
            file.force();
        }
        return new BitSet();
    }

    private void createEmpty(Staging staging) {
        context.disk().createDirectories(staging.directory());
        context.disk().open(staging.part()).close();
        context.disk().syncDirectory(staging.directory());
    }

    String digestOf(SequentialDigest digest, DiskFile file, long length) {
        digest.readBack(file, length, closing);
        return HexFormat.of().formatHex(digest.finish());
    }

    private static BitSet all(Incoming incoming) {
        BitSet all = new BitSet();
        all.set(0, (int) incoming.sealed().pieces());
        return all;
    }

    private BitSet damagedPieces(Incoming incoming, DiskFile file) {
        BitSet damaged = new BitSet();
        context.ledger().forEachPiece(incoming.row.key(), row -> {
            if (!isIntact(file, row.offset(), row)) {
                damaged.set((int) row.index());
            }
        });
        return damaged;
    }

    /** Whether the bytes at a position have the checksum that the piece had when it came. */
    boolean isIntact(DiskFile file, long position, PieceRow row) {
        if (closing.getAsBoolean()) {
            throw new StorageException(StorageException.Code.CLOSED, "verification stopped: the subscription closes");
        }
        ByteBuffer body = ByteBuffer.allocate(row.length());
        file.read(body, position);
        return !body.hasRemaining() && crc(body.flip()) == row.crc32c();
    }

    static int crc(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }

    BooleanSupplier closing() {
        return closing;
    }
}
