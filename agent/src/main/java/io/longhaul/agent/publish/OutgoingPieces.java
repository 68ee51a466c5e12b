package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.Spool;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryCodec;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.PackCodec;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.WireException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes any piece of an outgoing transfer again, from the spool while it is there, else from the source.
 *
 * <p>A piece is given only when its bytes have the checksum that the ledger has for it, and its file still is the file
 * that was published. May be used from any thread.
 */
public final class OutgoingPieces {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingPieces.class);

    private final Ledger ledger;
    private final Spool spool;

    public OutgoingPieces(Ledger ledger, Spool spool) {
        this.ledger = ledger;
        this.spool = spool;
    }

    /**
     * Reads a piece into a buffer of its own.
     *
     * <p>Throws {@link AgentException} with the reason when it cannot be had: not in the ledger, source changed or gone,
     * bytes damaged; its cause is a {@link StorageException} when what is kept here could not be read.
     */
    public Piece read(TransferRow transfer, long index) {
        PieceRow row = ledger.piece(transfer.key(), index)
                .orElseThrow(() -> new AgentException(
                        AgentException.Code.TRANSFER_FAILED,
                        refusal(transfer, index, "the ledger has no checksum of it yet")));
        return read(transfer, row, ByteBuffer.allocate(row.kind() == PieceHeader.Kind.HOLE.code() ? 0 : row.length()));
    }

    /** Reads a piece into the buffer given, which must hold it. */
    Piece read(TransferRow transfer, PieceRow row, ByteBuffer into) {
        try {
            Manifest manifest =
                    FrameCodec.fromJson(transfer.manifest().getBytes(StandardCharsets.UTF_8), Manifest.class);
            PieceHeader.Kind kind = PieceHeader.Kind.of(row.kind());
            Optional<Entry> entry = manifest.tree() && kind != PieceHeader.Kind.PACK
                    ? Optional.of(entry(transfer, row.entry()))
                    : Optional.empty();
            PieceHeader header = new PieceHeader(
                    manifest.transfer(), row.index(), kind, row.offset(), row.length(), row.crc32c(), entry);
            if (kind == PieceHeader.Kind.HOLE) {
                return new Piece(header, Fragment.NO_BODY);
            }
            readBody(transfer, row, entry, into);
            return new Piece(header, into.duplicate());
        } catch (SourceException | WireException | StorageException e) {
            throw new AgentException(
                    AgentException.Code.TRANSFER_FAILED,
                    refusal(transfer, row.index(), String.valueOf(e.getMessage())),
                    e);
        }
    }

    /** Whether a piece that could not be read may be read later: its bytes are not known to be damaged. */
    static boolean mayPass(Throwable failure) {
        return failure instanceof StorageException storage && storage.code() != StorageException.Code.DAMAGED;
    }

    /**
     * Returns what keeps pieces that have been sent from being made again: the source is not what it was, or none. Looks at
     * names, sizes and times, of every file of a tree, and at no content.
     */
    public Optional<String> fault(TransferRow transfer) {
        try {
            requireUnchanged(transfer);
            return Optional.empty();
        } catch (SourceException | WireException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void requireUnchanged(TransferRow transfer) {
        OutgoingDetail.Origin origin = OutgoingDetail.parse(transfer.detail()).origin();
        Path real = real(transfer, "left the spool when it was sent");
        if (origin.kind() != OutgoingDetail.Kind.TREE) {
            requireSame(real, origin.identity());
            return;
        }
        ledger.forEachEntry(transfer.key(), row -> {
            Entry entry = EntryCodec.decode(ByteBuffer.wrap(row.encoded()));
            if (entry.type() == EntryType.FILE) {
                requireSame(resolve(real, entry), entry);
            }
        });
    }

    private static Path real(TransferRow transfer, String fate) {
        if (transfer.path().isEmpty()) {
            throw new SourceException("it came from a stream and " + fate);
        }
        return Sources.real(Path.of(transfer.path()));
    }

    private void readBody(TransferRow transfer, PieceRow row, Optional<Entry> entry, ByteBuffer into) {
        if (row.spoolPosition() < 0) {
            readSource(transfer, row, entry, into.clear());
            return;
        }
        Optional<StorageException> fault = readSpool(row, into);
        if (fault.isEmpty()) {
            return;
        }
        // A slot that was given to another piece since the row was read is not damaged.
        boolean moved = ledger.piece(transfer.key(), row.index())
                .map(now -> now.spoolPosition() != row.spoolPosition())
                .orElse(true);
        try {
            readSource(transfer, row, entry, into.clear());
        } catch (SourceException e) {
            if (moved) {
                throw e;
            }
            if (mayPass(fault.get())) {
                throw fault.get();
            }
            throw new SourceException("damaged in the spool, " + fault.get().getMessage() + "; " + e.getMessage(), e);
        }
        if (!moved) {
            LOG.warn(
                    "piece {} of transfer {} cannot be had from the spool and is read from its source again: {}",
                    row.index(),
                    transfer.transferId(),
                    fault.get().getMessage());
        }
    }

    /** Reads from the spool; returns why what is there is not the piece, empty when it is. */
    private Optional<StorageException> readSpool(PieceRow row, ByteBuffer into) {
        into.clear().limit(row.length());
        try {
            spool.read(row.spoolPosition(), into);
        } catch (StorageException e) {
            if (e.code() == StorageException.Code.CLOSED) {
                throw e;
            }
            return Optional.of(e);
        }
        into.flip();
        int found = Checksums.crc32c(into);
        return found == row.crc32c()
                ? Optional.empty()
                : Optional.of(new StorageException(
                        StorageException.Code.DAMAGED,
                        String.format(
                                "%s: expected CRC-32C %08x, found %08x",
                                spool.describe(row.spoolPosition()), row.crc32c(), found)));
    }

    private void readSource(TransferRow transfer, PieceRow row, Optional<Entry> entry, ByteBuffer into) {
        OutgoingDetail.Origin origin = OutgoingDetail.parse(transfer.detail()).origin();
        Path real = real(transfer, row.spoolPosition() < 0 ? "has left the spool" : "cannot be read again");
        if (row.kind() == PieceHeader.Kind.PACK.code()) {
            readPack(transfer, row, real, into);
        } else {
            Path file = entry.map(known -> resolve(real, known)).orElse(real);
            SourceStat stat = entry.isPresent() ? requireSame(file, entry.get()) : requireSame(file, origin.identity());
            into.limit(row.length());
            try (SourceFile open = SourceFile.open(file, stat)) {
                open.read(into, row.offset());
            }
        }
        into.flip();
        int found = Checksums.crc32c(into);
        if (found != row.crc32c()) {
            throw new SourceException(String.format(
                    "source %s changed: expected CRC-32C %08x, found %08x",
                    SourceNames.shown(transfer.path()), row.crc32c(), found));
        }
    }

    private void readPack(TransferRow transfer, PieceRow row, Path top, ByteBuffer into) {
        into.limit(row.length());
        try {
            for (EntryRow packed : ledger.entriesOfPiece(transfer.key(), row.index())) {
                Entry entry = EntryCodec.decode(ByteBuffer.wrap(packed.encoded()));
                ByteBuffer content = ByteBuffer.allocate((int) entry.length());
                if (entry.type() == EntryType.FILE) {
                    Path file = resolve(top, entry);
                    try (SourceFile open = SourceFile.open(file, requireSame(file, entry))) {
                        open.read(content, 0);
                    }
                }
                PackCodec.append(into, entry, content.flip());
            }
        } catch (BufferOverflowException e) {
            throw new SourceException("pack: expected " + row.length() + " bytes, found more", e);
        }
    }

    private Entry entry(TransferRow transfer, long number) {
        return ledger.entry(transfer.key(), number)
                .map(row -> EntryCodec.decode(ByteBuffer.wrap(row.encoded())))
                .orElseThrow(() -> new SourceException("the ledger has no entry " + number));
    }

    private static Path resolve(Path top, Entry entry) {
        try {
            return top.resolve(entry.path());
        } catch (InvalidPathException e) {
            throw new SourceException(
                    "entry " + SourceNames.shown(entry.path()) + " cannot be named in this process's locale", e);
        }
    }

    private static SourceStat requireSame(Path file, SourceIdentity expected) {
        SourceStat stat = SourceStat.of(file);
        String difference = expected.difference(stat.identity());
        if (!difference.isEmpty()) {
            throw new SourceException("source " + SourceNames.shown(file) + " changed: " + difference);
        }
        return stat;
    }

    /** The tree's entry in the ledger knows the size and time of its file. */
    private static SourceStat requireSame(Path file, Entry entry) {
        SourceStat stat = SourceStat.of(file);
        SourceIdentity found = stat.identity();
        if (!stat.isFile() || found.length() != entry.length() || found.modifiedNanos() != entry.modifiedNanos()) {
            throw new SourceException("source " + SourceNames.shown(file) + " changed: expected a file of "
                    + entry.length() + " bytes and modification time " + entry.modifiedNanos() + " ns, found a "
                    + stat.kind() + " of " + found.length() + " and " + found.modifiedNanos() + " ns");
        }
        return stat;
    }

    private static String refusal(TransferRow transfer, long index, String reason) {
        return "piece " + index + " of transfer " + transfer.transferId() + " cannot be had: " + reason;
    }
}
