package io.longhaul.storage;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * The embedded database of an agent: transfers, pieces, entries, receipts with their keys, leases.
 *
 * <p>Writes are group-committed by one thread; reads see every change whose future has completed. All methods may be
 * called from any thread. Every failure is a {@link StorageException}.
 */
public interface Ledger {
    /** Setting: the damage that has cost this ledger what was durable; missing when there was none. */
    String DAMAGE_SETTING = "damage.known";

    /** Setting: there while it is not known that no number of a receipt that was lost is given again. */
    String LOST_SETTING = "damage.receipts";

    /**
     * Hands over changes that become durable together: the future completes after commit and sync to disk.
     *
     * <p>It completes on the ledger's thread: dependent actions must not block. A full disk fails the future with
     * {@link StorageException.Code#NO_SPACE} and leaves the ledger usable.
     */
    CompletableFuture<Void> commit(List<LedgerChange> changes);

    /** Like {@link #commit} for changes that promise nothing: they may lag, and the last ones may be lost in a crash. */
    CompletableFuture<Void> commitLater(List<LedgerChange> changes);

    /** Returns a number for a new transfer's row, never given before. */
    long newKey();

    Optional<TransferRow> transfer(Direction direction, String transferId, String subscription);

    Optional<TransferRow> transfer(long key);

    /**
     * Calls back for every transfer of a direction, oldest first, in the caller's thread; loads a few at a time.
     *
     * @param fromKey the least key of interest
     */
    void forEachTransfer(Direction direction, long fromKey, Consumer<TransferRow> action);

    /** Calls back for every transfer of a direction. */
    default void forEachTransfer(Direction direction, Consumer<TransferRow> action) {
        forEachTransfer(direction, 0, action);
    }

    /** Calls back for the outgoing transfers in one of these states, oldest first, without reading any others. */
    void forEachOutgoing(Set<TransferState> states, Consumer<TransferRow> action);

    /** Returns all transfers of a direction, oldest first; for a ledger that has few of them. */
    default List<TransferRow> transfers(Direction direction) {
        List<TransferRow> all = new ArrayList<>();
        forEachTransfer(direction, all::add);
        return all;
    }

    /** Returns what each subscription has of one transfer, oldest first. */
    List<TransferRow> transfers(Direction direction, String transferId);

    /** Returns the incoming transfers of one subscription that are in one of these states, oldest first. */
    List<TransferRow> incoming(String topic, String subscription, Set<TransferState> states);

    /**
     * Returns where the incoming transfers of one subscription that are in one of these states have their places, first ones
     * first. There may be very many, so that their rows are for the caller to read, a few at a time.
     */
    List<Place> places(String topic, String subscription, Set<TransferState> states);

    /** The place of a transfer in the order of its topic, and the key of its row. */
    record Place(long order, long key) {
        /** By order; of those that have the same by key. */
        public static final Comparator<Place> FIRST_ONES_FIRST =
                Comparator.comparingLong(Place::order).thenComparing(Place::key);
    }

    /** Returns the newest-ordered transfer of that name that reached {@link TransferState#DELIVERED} or beyond. */
    Optional<TransferRow> latestDelivered(String topic, String subscription, String name);

    /** Returns the indexes of pieces that are safe (outgoing) or durable here (incoming). */
    BitSet safePieces(long key);

    Optional<PieceRow> piece(long key, long index);

    /** Calls back for every piece by ascending index, in the caller's thread, without loading all into memory. */
    void forEachPiece(long key, Consumer<PieceRow> action);

    Optional<EntryRow> entry(long key, long number);

    /** Returns the entries of one pack, by number. */
    List<EntryRow> entriesOfPiece(long key, long piece);

    /** Calls back for every entry by ascending number, in the caller's thread, without loading all into memory. */
    void forEachEntry(long key, Consumer<EntryRow> action);

    /**
     * Calls back for every receipt of a direction, by their time, in the caller's thread, without loading all into memory.
     *
     * @param action takes a receipt and its number, which {@link #receipt} takes
     */
    void forEachReceipt(Direction direction, ObjLongConsumer<ReceiptRow> action);

    /** Returns the receipt of that number. */
    Optional<ReceiptRow> receipt(long number);

    List<ReceiptRow> receipts(Direction direction, String transferId);

    /** Calls back for every receipt taken whose signature is wrong, as {@link #forEachReceipt} does. */
    void forEachRefusedReceipt(Consumer<ReceiptRow> action);

    /** Returns the end of the chain of receipts given, as it was recorded with its last one; empty before the first. */
    Optional<ReceiptPlace> receiptChainEnd();

    /** Returns the place that a receipt given has in the chain; empty for one without, as from before there were chains. */
    Optional<ReceiptPlace> receiptPlace(String transferId, String subscription);

    /** Returns the last place in the chain of receipts given that is before a number. */
    Optional<ReceiptPlace> receiptPlaceBefore(long number);

    /**
     * Returns the keys that receipts of one subscription are expected to be signed with, oldest first; those of this agent for
     * two empty names.
     */
    List<ReceiptKeyRow> receiptKeys(String topic, String subscription);

    List<LeaseRow> leases();

    /** Returns the leases of one transfer; there may be very many of all. */
    List<LeaseRow> leases(String transferId);

    Optional<String> setting(String name);

    /** Returns the named values whose names begin so, by name. */
    Map<String, String> settings(String prefix);
}
