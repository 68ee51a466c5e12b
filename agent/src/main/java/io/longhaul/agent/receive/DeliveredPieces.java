package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryCodec;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Names;
import io.longhaul.wire.PackCodec;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.WireException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes any piece of a received transfer again, from where its bytes lie now: in place, held, or still in staging.
 *
 * <p>A piece is given out only if its checksum is what the ledger says, and for a delivered file only while it is the
 * file that was delivered (inode, size, time of modification). May be used from any thread.
 */
public final class DeliveredPieces {
    private final Ledger ledger;
    private final Disk disk;

    /** Makes pieces of the transfers in this ledger. */
    public DeliveredPieces(Ledger ledger, Disk disk) {
        this.ledger = ledger;
        this.disk = disk;
    }

    /**
     * Reads a piece of an incoming transfer.
     *
     * @throws AgentException VERIFICATION_FAILED with the reason when the piece cannot be given out
     */
    public Piece read(TransferRow row, long index) {
        PieceRow piece =
                ledger.piece(row.key(), index).orElseThrow(() -> unavailable(row, index, "it has not been received"));
        PieceHeader.Kind kind = PieceHeader.Kind.of(piece.kind());
        Manifest manifest = FrameCodec.fromJson(row.manifest().getBytes(StandardCharsets.UTF_8), Manifest.class);
        try {
            Optional<Entry> entry = manifest.tree() && kind != PieceHeader.Kind.PACK
                    ? Optional.of(entry(row, piece))
                    : Optional.empty();
            PieceHeader header = new PieceHeader(
                    manifest.transfer(), index, kind, piece.offset(), piece.length(), piece.crc32c(), entry);
            ByteBuffer body = body(row, manifest, piece, kind, entry);
            if (Verification.crc(body) != piece.crc32c()) {
                throw unavailable(row, index, "its bytes have changed on disk");
            }
            return new Piece(header, kind == PieceHeader.Kind.HOLE ? ByteBuffer.allocate(0) : body);
        } catch (StorageException | WireException e) {
            throw new AgentException(
                    AgentException.Code.VERIFICATION_FAILED, message(row, index, String.valueOf(e.getMessage())), e);
        }
    }

    private ByteBuffer body(
            TransferRow row, Manifest manifest, PieceRow piece, PieceHeader.Kind kind, Optional<Entry> entry) {
        Optional<Path> delivered = whereDelivered(row);
        if (delivered.isEmpty()) {
            Path root = Path.of(IncomingDetail.parse(row.detail()).into());
            Staging staging =
                    new Staging(disk, TargetDirectory.staging(root, row.transferId(), row.subscription()), manifest);
            return bytes(
                    staging.fileOf(kind, piece.entry()),
                    staging.positionOf(kind, piece.index(), piece.offset()),
                    piece.length());
        }
        if (kind == PieceHeader.Kind.PACK) {
            return pack(row, piece, delivered.get());
        }
        Path file = entry.map(e -> inTree(delivered.get(), e)).orElse(delivered.get());
        return bytes(file, piece.offset(), piece.length());
    }

    /** Returns the delivered file or tree when it is still what was delivered; empty while it is in staging. */
    private static Optional<Path> whereDelivered(TransferRow row) {
        return switch (row.state()) {
            case DELIVERED, RECEIPTED -> {
                Optional<Path> place = Holdings.whereHeld(row).or(() -> Holdings.whereInPlace(row));
                if (place.isEmpty()) {
                    throw unavailable(row, -1, "the delivered file is not what it was: " + Names.shown(row.path()));
                }
                yield place;
            }
            case RECEIVING, COMPLETE, PLACING -> Optional.empty();
            case SENDING, SENT, COMPLETED, FAILED, CANCELLED -> throw unavailable(row, -1, "it is " + row.state());
        };
    }

    private ByteBuffer pack(TransferRow row, PieceRow piece, Path tree) {
        ByteBuffer body = ByteBuffer.allocate(Limits.MAX_PIECE_SIZE);
        for (EntryRow each : ledger.entriesOfPiece(row.key(), piece.index())) {
            Entry entry = EntryCodec.decode(ByteBuffer.wrap(each.encoded()));
            if (PackCodec.size(entry) > body.remaining()) {
                throw unavailable(row, piece.index(), "its entries do not fit a piece");
            }
            ByteBuffer content = entry.type() == EntryType.FILE && entry.length() > 0
                    ? bytes(inTree(tree, entry), 0, Math.toIntExact(entry.length()))
                    : ByteBuffer.allocate(0);
            PackCodec.append(body, entry, content);
        }
        return body.flip();
    }

    /** Returns the path of an entry below a tree; what somebody replaced by a link on the way is not followed. */
    private static Path inTree(Path tree, Entry entry) {
        Path path = TargetDirectory.child(tree, entry.path());
        for (Path parent = path.getParent(); parent != null && !parent.equals(tree); parent = parent.getParent()) {
            if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
                throw new StorageException(
                        StorageException.Code.DAMAGED, parent + ": expected a directory of the delivered tree");
            }
        }
        return path;
    }

    private ByteBuffer bytes(Path file, long position, int length) {
        ByteBuffer body = ByteBuffer.allocate(length);
        try (DiskFile open = disk.openForReading(file)) {
            open.read(body, position);
        }
        return body.flip();
    }

    private Entry entry(TransferRow row, PieceRow piece) {
        return ledger.entry(row.key(), piece.entry())
                .map(found -> EntryCodec.decode(ByteBuffer.wrap(found.encoded())))
                .orElseThrow(() -> unavailable(row, piece.index(), "its entry is not known"));
    }

    private static AgentException unavailable(TransferRow row, long index, String why) {
        return new AgentException(AgentException.Code.VERIFICATION_FAILED, message(row, index, why));
    }

    private static String message(TransferRow row, long index, String why) {
        return (index < 0 ? "" : "piece " + index + " of ") + "transfer " + row.transferId() + " cannot be given out: "
                + why;
    }
}
