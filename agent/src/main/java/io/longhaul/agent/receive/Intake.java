package io.longhaul.agent.receive;

import io.longhaul.storage.DiskFile;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryCodec;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Names;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Seal;
import io.longhaul.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what a frame does: checks it, writes bytes, and puts what must be recorded into the batch.
 *
 * <p>Nothing here is durable or answered; that is the batch's. Receiver thread only.
 */
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
    /** All parts of a write have begun within this time, unless the disk or the whole process stands still. */
    private static final long BEGIN_MILLIS = 500;

    private static final int BITMAPS_IN_HEAP = 8;

    private final ReceiverContext context;
    private final IncomingTransfers transfers;
    private final PieceRules rules;
    private final SpaceGuard space;
    private final Announcer announcer;
    private final Receipts receipts;
    private final Consumer<Incoming> finisher;
    private final Telling telling;
    private final PieceChecksums checksums = new PieceChecksums();

    Intake(
            ReceiverContext context,
            IncomingTransfers transfers,
            SpaceGuard space,
            Announcer announcer,
            Receipts receipts,
            Consumer<Incoming> finisher) {
        this.context = context;
        this.transfers = transfers;
        this.rules = new PieceRules(
                transfers.target().capacity(), Runtime.getRuntime().maxMemory() / BITMAPS_IN_HEAP);
        this.space = space;
        this.announcer = announcer;
        this.receipts = receipts;
        this.finisher = finisher;
        this.telling = new Telling(transfers, context.nanoTime());
    }

    Telling telling() {
        return telling;
    }

    /** Takes a frame; returns false when it is a piece of a transfer whose manifest has not come. */
    boolean take(Frame frame, long order, boolean repair, WriteBatch batch) {
        try {
            return dispatch(frame, order, repair, batch);
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            Incoming incoming = transferOf(frame).map(transfers::find).orElse(null);
            if (incoming == null || incoming.finishing) {
                throw e;
            }
            // it would come again at every start, and nothing else after it
            LOG.error("a {} of transfer {} could not be taken", frame.type().wireName(), incoming.id(), e);
            refuse(incoming, "unexpected " + e, batch);
            return true;
        }
    }

    private static Optional<String> transferOf(Frame frame) {
        return switch (frame.type()) {
            case MANIFEST -> Optional.of(((Manifest) frame).transfer().toString());
            case PIECE -> Optional.of(((Piece) frame).header().transfer().toString());
            case SEAL -> Optional.of(((Seal) frame).transfer().toString());
            default -> Optional.empty();
        };
    }

    private boolean dispatch(Frame frame, long order, boolean repair, WriteBatch batch) {
        return switch (frame.type()) {
            case MANIFEST -> manifest((Manifest) frame, order, batch);
            case PIECE -> piece((Piece) frame, repair, batch);
            case SEAL -> seal((Seal) frame, batch);
            case CANCEL -> cancel((Cancel) frame, batch);
            default -> {
                announcer.notice("ignored a " + frame.type().wireName() + " on topic " + transfers.topic());
                yield true;
            }
        };
    }

    private boolean manifest(Manifest manifest, long order, WriteBatch batch) {
        String id = manifest.transfer().toString();
        Incoming known = transfers.find(id);
        if (known != null) {
            if (!known.manifest.equals(manifest) && !known.finishing) {
                refuse(known, "a second manifest of the same identity differs from the first", batch);
            } else if (order > 0 && known.row.order() == 0 && !known.finishing) {
                // one that was asked for came first, from somebody who does not know it
                known.row = known.row.withOrder(order);
                batch.change(new LedgerChange.PutTransfer(known.row));
            }
            return true;
        }
        if (transfers.isEnded(id)) {
            return true;
        }
        Optional<Seal> early = transfers.earlySeal(id);
        Incoming incoming = transfers.begin(manifest, order);
        try {
            rules.manifest(manifest, transfers.topic());
            incoming.target.place(transfers.placeName(manifest));
        } catch (RefusedTransfer | WireException e) {
            refuse(incoming, e.getMessage(), batch);
            return true;
        }
        batch.change(new LedgerChange.PutTransfer(incoming.row));
        telling.now(incoming, "receiving");
        early.ifPresent(seal -> seal(seal, batch));
        return true;
    }

    private boolean piece(Piece piece, boolean repair, WriteBatch batch) {
        PieceHeader header = piece.header();
        String id = header.transfer().toString();
        Incoming incoming = transfers.find(id);
        if (incoming == null) {
            return transfers.isEnded(id);
        }
        if (incoming.finishing || incoming.have.get((int) header.index())) {
            incoming.duplicatePieces++;
            incoming.duplicateBytes += piece.body().remaining();
            return true;
        }
        try {
            // before anything is remembered of the index, which may be any
            rules.piece(incoming, piece);
            rules.memory(incoming, header.index(), transfers.active());
            String damage = checksums.damage(piece);
            if (damage != null) {
                announcer.notice("piece " + header.index() + " of transfer " + id + " "
                        + Names.shown(incoming.manifest.name()) + " arrived damaged, it will be asked for again: "
                        + damage);
                incoming.damaged.set((int) header.index());
                return true;
            }
            write(incoming, piece, batch);
        } catch (RefusedTransfer | WireException e) {
            refuse(incoming, e.getMessage(), batch);
            return true;
        }
        if (repair) {
            incoming.repairedBytes += piece.body().remaining();
        }
        telling.moved(incoming);
        completeWhenWhole(incoming, batch);
        return true;
    }

    private void write(Incoming incoming, Piece piece, WriteBatch batch) {
        PieceHeader header = piece.header();
        boolean packed = header.kind() == PieceHeader.Kind.PACK;
        long entry = header.entry().map(Entry::number).orElse(0L);
        long recorded = packed ? EntryCodec.decode(piece.body().duplicate()).number() : entry;
        if (header.entry().isPresent()) {
            recordEntry(incoming, header, header.entry().get(), batch);
        }
        int bodyBytes = piece.body().remaining();
        space.take(bodyBytes);
        Path path = incoming.staging.fileOf(header.kind(), entry);
        boolean open = batch.open(path) != null;
        if (!incoming.resumed && !incoming.staging.isAsLeft(path)) {
            incoming.distrustPassed();
        }
        DiskFile file = incoming.staging.open(path, batch);
        if (!open && !packed) {
            long length = header.entry().map(Entry::length).orElse(incoming.manifest.length());
            within(header, () -> setLength(file, length));
        }
        boolean hashed = !packed && !incoming.resumed;
        boolean ahead = hashed && digest(incoming, entry).position() != header.offset();
        long beganMillis = context.clock().millis();
        long beganNs = context.nanoTime().getAsLong();
        within(header, () -> incoming.staging.write(header, piece.body(), incoming.resumed, ahead, file));
        if (hashed) {
            boolean quick = context.nanoTime().getAsLong() - beganNs < TimeUnit.MILLISECONDS.toNanos(BEGIN_MILLIS);
            incoming.staging.leave(path, quick ? Long.MAX_VALUE : beganMillis + BEGIN_MILLIS);
            hash(incoming, entry, piece, file);
        }
        incoming.have.set((int) header.index());
        incoming.damaged.clear((int) header.index());
        incoming.bytes += header.length();
        incoming.lastProgressNs = context.nanoTime().getAsLong();
        batch.piece(
                incoming.row.key(),
                new PieceRow(
                        header.index(),
                        header.kind().code(),
                        recorded,
                        header.offset(),
                        header.length(),
                        header.crc32c(),
                        true,
                        -1),
                bodyBytes);
    }

    private static void setLength(DiskFile file, long length) {
        if (length > 0 && file.length() != length) {
            file.setLength(length);
        }
    }

    /** File systems bound the length of a file, and none says where. */
    private static void within(PieceHeader header, Runnable write) {
        try {
            write.run();
        } catch (PathRefusedException e) {
            throw new RefusedTransfer("piece " + header.index() + ": this disk cannot hold it: " + e.getMessage(), e);
        }
    }

    private static SequentialDigest digest(Incoming incoming, long entry) {
        return incoming.digests.computeIfAbsent(entry, e -> new SequentialDigest());
    }

    private static void hash(Incoming incoming, long entry, Piece piece, DiskFile file) {
        PieceHeader header = piece.header();
        SequentialDigest digest = digest(incoming, entry);
        digest.passed(header.offset(), header.length(), piece.body(), file);
        if (header.entry().isPresent()
                && digest.position() == header.entry().get().length()) {
            incoming.passed.put(entry, digest.finish());
            incoming.digests.remove(entry);
        }
    }

    /** The entry of a large file is in the header of each of its pieces, and must be the same in all. */
    private void recordEntry(Incoming incoming, PieceHeader header, Entry entry, WriteBatch batch) {
        Entry known = incoming.entries.get(entry.number());
        if (known == null) {
            byte[] encoded = EntryCodec.encode(entry);
            EntryRow recorded =
                    context.ledger().entry(incoming.row.key(), entry.number()).orElse(null);
            if (recorded == null) {
                long first = header.index() - header.offset() / incoming.manifest.pieceSize();
                batch.change(new LedgerChange.PutEntries(
                        incoming.row.key(),
                        List.of(new EntryRow(entry.number(), Math.max(0, first), encoded, new byte[0]))));
            } else if (!Arrays.equals(recorded.encoded(), encoded)) {
                throw differs(header, entry);
            }
            incoming.entries.put(entry.number(), entry);
        } else if (!known.equals(entry)) {
            throw differs(header, entry);
        }
    }

    private static RefusedTransfer differs(PieceHeader header, Entry entry) {
        return new RefusedTransfer("piece " + header.index() + ": entry " + entry.number() + " "
                + Names.shown(entry.path()) + " differs from what an earlier piece said of it");
    }

    private boolean seal(Seal seal, WriteBatch batch) {
        String id = seal.transfer().toString();
        Incoming incoming = transfers.find(id);
        if (incoming == null) {
            // the publisher may ask so for a receipt that is lost; what is not durable yet was not sent either
            transfers.ended(id).ifPresent(row -> batch.afterwards(() -> receipts.repeat(row)));
            if (!transfers.isEnded(id) && transfers.earlySeal(id).isEmpty()) {
                // its manifest may still come, however late: without a seal nobody would ask for what is missing
                batch.change(new LedgerChange.PutTransfer(transfers.sealedUnseen(seal)));
            }
            return true;
        }
        if (incoming.finishing || seal.equals(incoming.seal)) {
            return true;
        }
        try {
            rules.seal(incoming, seal);
        } catch (RefusedTransfer e) {
            refuse(incoming, e.getMessage(), batch);
            return true;
        }
        incoming.seal = seal;
        incoming.lastProgressNs = context.nanoTime().getAsLong();
        incoming.row = incoming.row.withSeal(new String(FrameCodec.toJson(seal), StandardCharsets.UTF_8));
        if (!completeWhenWhole(incoming, batch)) {
            batch.change(new LedgerChange.PutTransfer(incoming.row));
        }
        return true;
    }

    private boolean completeWhenWhole(Incoming incoming, WriteBatch batch) {
        if (!incoming.isWhole()) {
            return false;
        }
        incoming.finishing = true;
        incoming.row = incoming.row
                .withState(TransferState.COMPLETE)
                .withDetail(incoming.detail(context.nanoTime().getAsLong()).toJson());
        batch.change(new LedgerChange.PutTransfer(incoming.row));
        batch.afterwards(() -> {
            incoming.handedOver = true;
            finisher.accept(incoming);
        });
        telling.now(incoming, "verifying");
        return true;
    }

    private boolean cancel(Cancel cancel, WriteBatch batch) {
        String id = cancel.transfer().toString();
        Incoming incoming = transfers.find(id);
        if (incoming == null) {
            if (!transfers.isEnded(id)) {
                // pieces of it may still come: remember that nobody wants them
                batch.change(new LedgerChange.PutTransfer(transfers.cancelledUnseen(id)));
            }
            return true;
        }
        if (incoming.finishing) {
            return true;
        }
        announcer.notice("transfer " + id + " " + Names.shown(incoming.manifest.name())
                + " was cancelled by its publisher: " + Names.shown(cancel.reason()));
        TransferRow row = incoming.row
                .withState(TransferState.CANCELLED)
                .withDetail(incoming.detail(context.nanoTime().getAsLong()).toJson());
        batch.change(new LedgerChange.DeleteTransfer(row.key()));
        batch.change(new LedgerChange.PutTransfer(row));
        batch.afterwards(incoming.staging::discard);
        telling.now(incoming, "failed");
        transfers.end(incoming);
        batch.ends(incoming.id());
        return true;
    }

    /** Gives a transfer up: what is there of it goes, its receipt says why. */
    void refuse(Incoming incoming, @Nullable String why, WriteBatch batch) {
        String reason = String.valueOf(why);
        announcer.notice(
                "transfer " + incoming.id() + " " + Names.shown(incoming.manifest.name()) + " is refused: " + reason);
        GivenUp given = GivenUp.of(
                context, incoming.row, incoming.detail(context.nanoTime().getAsLong()), reason);
        given.changes().forEach(batch::change);
        batch.afterwards(() -> {
            incoming.staging.discard();
            receipts.send(given.row());
        });
        telling.now(incoming, "failed");
        transfers.end(incoming);
        batch.ends(incoming.id());
    }

    /** Takes back a transfer that verification found damaged. */
    void reopen(Incoming incoming, BitSet damaged) {
        incoming.finishing = false;
        incoming.handedOver = false;
        incoming.distrustPassed();
        incoming.have.andNot(damaged);
        incoming.recount();
        incoming.damaged.or(damaged);
        incoming.lastProgressNs = context.nanoTime().getAsLong();
    }
}
