package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32C;

/** Compares what the ledger says of the spool with what is there. */
final class SpoolCheck {
    private final LedgerProvider.OpenLedger ledger;
    private final SegmentedSpool spool;
    private final List<String> findings = new ArrayList<>();
    private final Map<Long, List<Long>> lost = new TreeMap<>();
    private final Map<Long, List<PieceRow>> left = new TreeMap<>();
    private final Map<Long, Boolean> ended = new HashMap<>();

    private SpoolCheck(LedgerProvider.OpenLedger ledger, SegmentedSpool spool) {
        this.ledger = ledger;
        this.spool = spool;
    }

    /**
     * Gives every named slot to its piece; pieces without a slot, or recent ones with damaged bytes, are forgotten. What a
     * transfer that has ended still has in the spool, since a crash came before it was given back, is given back.
     */
    static List<String> onOpen(LedgerProvider.OpenLedger ledger, SegmentedSpool spool) {
        SpoolCheck check = new SpoolCheck(ledger, spool);
        ledger.forEachSlot((position, key, piece, recent) -> {
            if (check.hasEnded(key)) {
                check.left.computeIfAbsent(key, any -> new ArrayList<>()).add(piece.withoutSlot());
            } else if (!spool.markUsed(position)) {
                check.lose(key, piece, spool.describe(position) + ": there is no such slot, or another piece has it");
            } else if (recent) {
                check.compare(position, key, piece);
            }
        });
        check.giveBackLeft();
        return check.forgetLost();
    }

    /** Compares every body with its checksum; pieces whose body is damaged are forgotten. */
    static List<String> all(LedgerProvider.OpenLedger ledger, SegmentedSpool spool) {
        SpoolCheck check = new SpoolCheck(ledger, spool);
        ledger.forEachSlot((position, key, piece, recent) -> check.compare(position, key, piece));
        return check.forgetLost();
    }

    private void compare(long position, long key, PieceRow piece) {
        ByteBuffer body = ByteBuffer.allocate(piece.length());
        try {
            spool.read(position, body);
        } catch (StorageException e) {
            lose(key, piece, String.valueOf(e.getMessage()));
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(body.flip());
        if ((int) crc.getValue() != piece.crc32c()) {
            lose(
                    key,
                    piece,
                    String.format(
                            "%s: expected CRC32C %08x, found %08x",
                            spool.describe(position), piece.crc32c(), (int) crc.getValue()));
        }
    }

    private void lose(long key, PieceRow piece, String reason) {
        findings.add("piece " + piece.index() + " of transfer row " + key + " is lost from the spool: " + reason);
        lost.computeIfAbsent(key, any -> new ArrayList<>()).add(piece.index());
    }

    private boolean hasEnded(long key) {
        return ended.computeIfAbsent(
                key,
                any -> ledger.ledger()
                        .transfer(key)
                        .filter(row -> row.state().isEnded())
                        .isPresent());
    }

    private void giveBackLeft() {
        List<LedgerChange> changes = new ArrayList<>();
        left.forEach((key, pieces) -> changes.add(new LedgerChange.PutPieces(key, pieces)));
        commit(changes);
    }

    private List<String> forgetLost() {
        List<LedgerChange> changes = new ArrayList<>();
        lost.forEach((key, indexes) -> changes.add(new LedgerChange.DeletePieces(key, indexes)));
        commit(changes);
        return findings;
    }

    private void commit(List<LedgerChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        try {
            ledger.ledger().commit(changes).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StorageException storage ? storage : e;
        }
    }
}
