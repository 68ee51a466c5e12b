package io.longhaul.agent.receive;

import io.longhaul.storage.Direction;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/** A ledger whose commits are durable at once and survive any crash; not thread-safe but for its monitor. */
final class MemoryLedger implements Ledger {
    private final Map<Long, TransferRow> transfers = new TreeMap<>();
    private final Map<Long, TreeMap<Long, PieceRow>> pieces = new HashMap<>();
    private final Map<Long, TreeMap<Long, EntryRow>> entries = new HashMap<>();
    private final Map<String, ReceiptRow> receipts = new TreeMap<>();
    private final Map<String, LeaseRow> leases = new TreeMap<>();
    private final Map<String, String> settings = new HashMap<>();
    private Optional<ReceiptPlace> end = Optional.empty();
    private long lastKey;

    @Override
    public synchronized CompletableFuture<Void> commit(List<LedgerChange> changes) {
        changes.forEach(this::apply);
        return CompletableFuture.completedFuture(null);
    }

    private void apply(LedgerChange change) {
        if (change instanceof LedgerChange.PutTransfer put) {
            transfers.put(put.row().key(), put.row());
        } else if (change instanceof LedgerChange.DeleteTransfer delete) {
            transfers.remove(delete.key());
            pieces.remove(delete.key());
            entries.remove(delete.key());
        } else if (change instanceof LedgerChange.PutPieces put) {
            put.pieces().forEach(row -> piecesOf(put.key()).put(row.index(), row));
        } else if (change instanceof LedgerChange.DeletePieces delete) {
            delete.indexes().forEach(piecesOf(delete.key())::remove);
        } else if (change instanceof LedgerChange.PutEntries put) {
            put.entries().forEach(row -> entriesOf(put.key()).put(row.number(), row));
        } else if (change instanceof LedgerChange.PutReceipt put) {
            receipts.putIfAbsent(put.row().transferId() + "@" + put.row().subscription(), put.row());
        } else if (change instanceof LedgerChange.AppendReceipt append) {
            append(append.row(), append.link());
        } else if (change instanceof LedgerChange.PutSetting put) {
            settings.put(put.name(), put.value());
        } else if (change instanceof LedgerChange.DeleteSetting delete) {
            settings.remove(delete.name());
        } else if (change instanceof LedgerChange.PutLease put) {
            leases.put(put.row().transferId() + "@" + put.row().subscription(), put.row());
        } else if (change instanceof LedgerChange.DeleteLease delete) {
            leases.remove(delete.transferId() + "@" + delete.subscription());
        } else {
            throw new IllegalArgumentException("not for receivers: " + change);
        }
    }

    private void append(ReceiptRow row, ReceiptLink link) {
        receipts.computeIfAbsent(row.transferId() + "@" + row.subscription(), key -> {
            long number = end.map(ReceiptPlace::number).orElse(0L) + 1;
            ReceiptLink.Linked linked =
                    link.next(number, end.map(ReceiptPlace::hash).orElse(""));
            end = Optional.of(new ReceiptPlace(number, linked.hash()));
            return new ReceiptRow(
                    row.direction(),
                    row.transferId(),
                    row.topic(),
                    row.subscription(),
                    row.atMillis(),
                    linked.receipt());
        });
    }

    private TreeMap<Long, PieceRow> piecesOf(long key) {
        return pieces.computeIfAbsent(key, k -> new TreeMap<>());
    }

    private TreeMap<Long, EntryRow> entriesOf(long key) {
        return entries.computeIfAbsent(key, k -> new TreeMap<>());
    }

    @Override
    public CompletableFuture<Void> commitLater(List<LedgerChange> changes) {
        return commit(changes);
    }

    @Override
    public synchronized long newKey() {
        return ++lastKey;
    }

    @Override
    public synchronized Optional<TransferRow> transfer(Direction direction, String transferId, String subscription) {
        return transfers.values().stream()
                .filter(row -> row.transferId().equals(transferId)
                        && row.subscription().equals(subscription))
                .findAny();
    }

    @Override
    public synchronized Optional<TransferRow> transfer(long key) {
        return Optional.ofNullable(transfers.get(key));
    }

    @Override
    public synchronized void forEachTransfer(Direction direction, long fromKey, Consumer<TransferRow> action) {
        List.copyOf(transfers.values()).forEach(action);
    }

    @Override
    public void forEachOutgoing(Set<TransferState> states, Consumer<TransferRow> action) {
        throw new UnsupportedOperationException("not for receivers");
    }

    @Override
    public synchronized List<Place> places(String topic, String subscription, Set<TransferState> states) {
        return incoming(topic, subscription, states).stream()
                .map(row -> new Place(row.order(), row.key()))
                .sorted(Place.FIRST_ONES_FIRST)
                .toList();
    }

    @Override
    public synchronized List<TransferRow> transfers(Direction direction, String transferId) {
        return transfers.values().stream()
                .filter(row -> row.transferId().equals(transferId))
                .toList();
    }

    @Override
    public synchronized List<TransferRow> incoming(String topic, String subscription, Set<TransferState> states) {
        return transfers.values().stream()
                .filter(row -> row.topic().equals(topic)
                        && row.subscription().equals(subscription)
                        && states.contains(row.state()))
                .toList();
    }

    @Override
    public synchronized Optional<TransferRow> latestDelivered(String topic, String subscription, String name) {
        return transfers.values().stream()
                .filter(row -> row.topic().equals(topic)
                        && row.subscription().equals(subscription)
                        && row.name().equals(name)
                        && (row.state() == TransferState.DELIVERED || row.state() == TransferState.RECEIPTED))
                .max(Comparator.comparingLong(TransferRow::order));
    }

    @Override
    public synchronized BitSet safePieces(long key) {
        BitSet safe = new BitSet();
        piecesOf(key).keySet().forEach(index -> safe.set(index.intValue()));
        return safe;
    }

    @Override
    public synchronized Optional<PieceRow> piece(long key, long index) {
        return Optional.ofNullable(piecesOf(key).get(index));
    }

    @Override
    public void forEachPiece(long key, Consumer<PieceRow> action) {
        List<PieceRow> rows;
        synchronized (this) {
            rows = new ArrayList<>(piecesOf(key).values());
        }
        rows.forEach(action);
    }

    @Override
    public synchronized Optional<EntryRow> entry(long key, long number) {
        return Optional.ofNullable(entriesOf(key).get(number));
    }

    @Override
    public synchronized List<EntryRow> entriesOfPiece(long key, long piece) {
        return entriesOf(key).values().stream()
                .filter(row -> row.piece() == piece)
                .toList();
    }

    @Override
    public void forEachEntry(long key, Consumer<EntryRow> action) {
        List<EntryRow> rows;
        synchronized (this) {
            rows = new ArrayList<>(entriesOf(key).values());
        }
        rows.forEach(action);
    }

    @Override
    public synchronized void forEachReceipt(Direction direction, ObjLongConsumer<ReceiptRow> action) {
        receipts.values().stream()
                .filter(row -> row.direction() == direction)
                .toList()
                .forEach(row -> action.accept(row, 0));
    }

    @Override
    public Optional<ReceiptRow> receipt(long number) {
        throw new UnsupportedOperationException("not for receivers");
    }

    @Override
    public synchronized List<ReceiptRow> receipts(Direction direction, String transferId) {
        return receipts.values().stream()
                .filter(row -> row.transferId().equals(transferId))
                .toList();
    }

    @Override
    public synchronized Optional<ReceiptPlace> receiptChainEnd() {
        return end;
    }

    @Override
    public Optional<ReceiptPlace> receiptPlace(String transferId, String subscription) {
        return Optional.empty();
    }

    @Override
    public Optional<ReceiptPlace> receiptPlaceBefore(long number) {
        return Optional.empty();
    }

    @Override
    public void forEachRefusedReceipt(Consumer<ReceiptRow> action) {}

    @Override
    public List<ReceiptKeyRow> receiptKeys(String topic, String subscription) {
        return List.of();
    }

    @Override
    public synchronized List<LeaseRow> leases() {
        return List.copyOf(leases.values());
    }

    @Override
    public synchronized List<LeaseRow> leases(String transferId) {
        return leases.values().stream()
                .filter(lease -> lease.transferId().equals(transferId))
                .toList();
    }

    @Override
    public synchronized Optional<String> setting(String name) {
        return Optional.ofNullable(settings.get(name));
    }

    @Override
    public synchronized Map<String, String> settings(String prefix) {
        Map<String, String> found = new TreeMap<>(settings);
        found.keySet().removeIf(name -> !name.startsWith(prefix));
        return found;
    }
}
