package io.longhaul.storage.ledger;

import io.longhaul.storage.Direction;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/** Reads by SQL on connections of their own; hands writes to the group commit. */
final class H2Ledger implements Ledger {
    static final String LAST_KEY_SETTING = "ledger.last-key";
    private static final int PAGE_ROWS = 2000;
    private static final int PAGE_TRANSFERS = 500;
    /** What outgoing transfers have for a subscription. */
    private static final String OUTGOING = "";

    private final Database database;
    private final GroupCommit commits;
    private final AtomicLong lastKey;

    H2Ledger(Database database, GroupCommit commits, long lastKey) {
        this.database = database;
        this.commits = commits;
        this.lastKey = new AtomicLong(lastKey);
    }

    @Override
    public CompletableFuture<Void> commit(List<LedgerChange> changes) {
        return commits.submit(changes, true);
    }

    @Override
    public CompletableFuture<Void> commitLater(List<LedgerChange> changes) {
        return commits.submit(changes, false);
    }

    @Override
    public long newKey() {
        return lastKey.incrementAndGet();
    }

    @Override
    public Optional<TransferRow> transfer(Direction direction, String transferId, String subscription) {
        return one(database.query(
                Rows::transfer,
                "SELECT " + Rows.TRANSFER
                        + " FROM transfer WHERE transfer_id = ? AND subscription = ? AND direction = ?",
                transferId,
                subscription,
                Rows.code(direction)));
    }

    @Override
    public Optional<TransferRow> transfer(long key) {
        return one(database.query(Rows::transfer, "SELECT " + Rows.TRANSFER + " FROM transfer WHERE id = ?", key));
    }

    @Override
    public void forEachTransfer(Direction direction, long fromKey, Consumer<TransferRow> action) {
        long after = fromKey - 1;
        List<TransferRow> page;
        do {
            page = database.query(
                    Rows::transfer,
                    "SELECT " + Rows.TRANSFER + " FROM transfer WHERE direction = ? AND id > ? ORDER BY id LIMIT "
                            + PAGE_TRANSFERS,
                    Rows.code(direction),
                    after);
            for (TransferRow row : page) {
                action.accept(row);
                after = row.key();
            }
        } while (page.size() == PAGE_TRANSFERS);
    }

    @Override
    public void forEachOutgoing(Set<TransferState> states, Consumer<TransferRow> action) {
        List<Place> found = new ArrayList<>();
        for (Optional<String> topic = topicBehind(""); topic.isPresent(); topic = topicBehind(topic.get())) {
            found.addAll(places(topic.get(), OUTGOING, states));
        }
        found.stream()
                .map(Place::key)
                .sorted()
                .forEach(key -> transfer(key)
                        .filter(row -> states.contains(row.state()))
                        .ifPresent(action));
    }

    private Optional<String> topicBehind(String topic) {
        return one(database.query(row -> row.getString(1), Rows.FIRST_TOPIC, topic + '\0'));
    }

    @Override
    public List<Place> places(String topic, String subscription, Set<TransferState> states) {
        List<Place> found = new ArrayList<>();
        // in the order in which a transfer passes through them: one that goes on meanwhile is found twice, not missed
        for (TransferState state : new TreeSet<>(states)) {
            found.addAll(database.query(
                    row -> new Place(row.getLong(1), row.getLong(2)), Rows.PLACES, topic, subscription, state.name()));
        }
        return found.stream().distinct().sorted(Place.FIRST_ONES_FIRST).toList();
    }

    @Override
    public List<TransferRow> transfers(Direction direction, String transferId) {
        return database.query(
                Rows::transfer,
                "SELECT " + Rows.TRANSFER + " FROM transfer WHERE transfer_id = ? AND direction = ? ORDER BY id",
                transferId,
                Rows.code(direction));
    }

    @Override
    public List<TransferRow> incoming(String topic, String subscription, Set<TransferState> states) {
        return states.isEmpty()
                ? List.of()
                : database.query(Rows::transfer, Rows.transfersIn(states), topic, subscription);
    }

    @Override
    public Optional<TransferRow> latestDelivered(String topic, String subscription, String name) {
        return one(database.query(Rows::transfer, Rows.LATEST_DELIVERED, topic, subscription, name));
    }

    @Override
    public BitSet safePieces(long key) {
        BitSet safe = new BitSet();
        forEach(
                row -> new Safety(row.getLong(1), row.getBoolean(2)),
                "id, safe FROM piece",
                PAGE_ROWS,
                key,
                Safety::id,
                row -> safe.set((int) Rows.index(row.id()), row.safe()));
        return safe;
    }

    /** Whether a piece is safe. */
    private record Safety(long id, boolean safe) {}

    /** Does something for each row of a transfer in order, a page at a time: a transfer may have millions. */
    private <T> void forEach(
            Database.RowReader<T> reader,
            String columnsFrom,
            int pageRows,
            long key,
            ToLongFunction<T> lastId,
            Consumer<T> action) {
        long after = Rows.firstId(key) - 1;
        List<T> page;
        do {
            page = database.query(
                    reader,
                    "SELECT " + columnsFrom + " WHERE id > ? AND id <= ? ORDER BY id LIMIT " + pageRows,
                    after,
                    Rows.lastId(key));
            for (T row : page) {
                action.accept(row);
                after = lastId.applyAsLong(row);
            }
        } while (page.size() == pageRows);
    }

    @Override
    public Optional<PieceRow> piece(long key, long index) {
        return one(
                database.query(Rows::piece, "SELECT " + Rows.PIECE + " FROM piece WHERE id = ?", Rows.id(key, index)));
    }

    @Override
    public void forEachPiece(long key, Consumer<PieceRow> action) {
        forEach(Rows::piece, Rows.PIECE + " FROM piece", PAGE_ROWS, key, piece -> Rows.id(key, piece.index()), action);
    }

    @Override
    public Optional<EntryRow> entry(long key, long number) {
        return database
                .query(
                        Rows::entries,
                        "SELECT " + Rows.ENTRY + " FROM entry WHERE id BETWEEN ? AND ? AND id + entries > ?",
                        Rows.earliestWith(key, number),
                        Rows.id(key, number),
                        Rows.id(key, number))
                .stream()
                .map(run -> run.entries().get((int) (number - run.first())))
                .findFirst();
    }

    @Override
    public List<EntryRow> entriesOfPiece(long key, long piece) {
        return database
                .query(
                        Rows::entries,
                        "SELECT " + Rows.ENTRY + " FROM entry WHERE piece = ? ORDER BY id",
                        Rows.id(key, piece))
                .stream()
                .flatMap(run -> run.entries().stream())
                .toList();
    }

    @Override
    public void forEachEntry(long key, Consumer<EntryRow> action) {
        forEach(
                Rows::entries,
                Rows.ENTRY + " FROM entry",
                PAGE_ROWS / EntryRun.MOST,
                key,
                run -> Rows.id(key, run.last()),
                run -> run.entries().forEach(action));
    }

    @Override
    public void forEachReceipt(Direction direction, ObjLongConsumer<ReceiptRow> action) {
        ReceiptsByTime.of(database, direction).forEach(action);
    }

    @Override
    public Optional<ReceiptRow> receipt(long number) {
        return one(database.query(Rows::receipt, "SELECT " + Rows.RECEIPT + " FROM receipt WHERE _ROWID_ = ?", number));
    }

    @Override
    public List<ReceiptRow> receipts(Direction direction, String transferId) {
        return database.query(
                Rows::receipt,
                "SELECT " + Rows.RECEIPT
                        + " FROM receipt WHERE transfer_id = ? AND direction = ? ORDER BY at_millis, subscription",
                transferId,
                Rows.code(direction));
    }

    @Override
    public void forEachRefusedReceipt(Consumer<ReceiptRow> action) {
        ReceiptsByTime.refused(database).forEach((row, number) -> action.accept(row));
    }

    @Override
    public Optional<ReceiptPlace> receiptChainEnd() {
        return one(database.query(Rows::place, "SELECT chain_number, chain_hash FROM receipt_chain"));
    }

    @Override
    public Optional<ReceiptPlace> receiptPlace(String transferId, String subscription) {
        return one(database.query(
                Rows::place,
                "SELECT chain_number, chain_hash FROM receipt WHERE transfer_id = ? AND subscription = ?"
                        + " AND direction = ? AND chain_number IS NOT NULL",
                transferId,
                subscription,
                Rows.code(Direction.INCOMING)));
    }

    @Override
    public Optional<ReceiptPlace> receiptPlaceBefore(long number) {
        return one(database.query(Rows::place, Rows.PLACE_BEFORE, number));
    }

    @Override
    public List<ReceiptKeyRow> receiptKeys(String topic, String subscription) {
        return database.query(
                Rows::receiptKey,
                "SELECT " + Rows.RECEIPT_KEY
                        + " FROM receipt_key WHERE topic = ? AND subscription = ? ORDER BY since_millis, public_key",
                topic,
                subscription);
    }

    @Override
    public List<LeaseRow> leases() {
        return database.query(
                Rows::lease, "SELECT " + Rows.LEASE + " FROM lease ORDER BY granted_millis, transfer_id, subscription");
    }

    @Override
    public List<LeaseRow> leases(String transferId) {
        return database.query(
                Rows::lease,
                "SELECT " + Rows.LEASE + " FROM lease WHERE transfer_id = ? ORDER BY granted_millis, subscription",
                transferId);
    }

    @Override
    public Optional<String> setting(String name) {
        return one(database.query(row -> row.getString(1), "SELECT content FROM setting WHERE name = ?", name));
    }

    @Override
    public Map<String, String> settings(String prefix) {
        Map<String, String> found = new TreeMap<>();
        database.query(
                        row -> Map.entry(row.getString(1), row.getString(2)),
                        "SELECT name, content FROM setting WHERE LEFT(name, ?) = ?",
                        prefix.length(),
                        prefix)
                .forEach(each -> found.put(each.getKey(), each.getValue()));
        return found;
    }

    private static <T> Optional<T> one(List<T> rows) {
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
    }
}
