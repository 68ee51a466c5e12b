package io.longhaul.agent.repair;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.publish.OutgoingPieces;
import io.longhaul.agent.receive.DeliveredPieces;
import io.longhaul.agent.receive.Holdings;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.RepairOffer;
import io.longhaul.wire.RepairQuery;
import io.longhaul.wire.RepairRefusal;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.TransferId;
import io.longhaul.wire.WireException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers lease requests and repair queries, and serves repair requests.
 *
 * <p>A lease is in the ledger, durable, and the bytes are held before the grant is sent. Thread-safe.
 */
public final class Holder {
    private static final Logger LOG = LoggerFactory.getLogger(Holder.class);
    private static final int BATCH = 64; // of leases that begin or end in one commit

    private final String agent;
    private final boolean grantsLeases;
    private final Link link;
    private final Ledger ledger;
    private final Clock clock;
    private final List<Stock> stocks;
    private final Consumer<String> receiptsWanted;
    private final Consumer<String> notices;
    private final List<String> withheld = new ArrayList<>(); // guarded by this: those that are not promised for now

    /** What a holder works with; {@code receiptsWanted} opens the flow of a topic's receipts before a grant. */
    public record Context(
            String agent,
            boolean grantsLeases,
            Link link,
            Ledger ledger,
            Clock clock,
            Consumer<String> receiptsWanted,
            Consumer<String> notices) {}

    /** Makes a holder of what this agent receives and publishes. */
    public static Holder of(Context context, Store store, Holdings holdings, LongSupplier nanoTime) {
        Ledger ledger = store.ledger();
        return new Holder(
                context,
                List.of(
                        new IncomingStock(ledger, new DeliveredPieces(ledger, store.disk()), holdings),
                        new OutgoingStock(
                                ledger, new OutgoingPieces(ledger, store.spool()), nanoTime, context.notices())));
    }

    /** Makes a holder of what these stocks have, asked in this order. */
    public Holder(Context context, List<Stock> stocks) {
        this.agent = context.agent();
        this.grantsLeases = context.grantsLeases();
        this.link = context.link();
        this.ledger = context.ledger();
        this.clock = context.clock();
        this.receiptsWanted = context.receiptsWanted();
        this.notices = context.notices();
        this.stocks = List.copyOf(stocks);
    }

    /** Takes a frame of a topic's holders address. */
    public void asked(Frame frame) {
        if (frame instanceof RepairQuery query) {
            offer(query);
        } else if (frame instanceof LeaseRequest request && grantsLeases) {
            List<TransferId> all = request.transfers();
            for (int from = 0; from < all.size(); from += BATCH) {
                grantIfPossible(request, all.subList(from, Math.min(from + BATCH, all.size())));
            }
        }
    }

    private void offer(RepairQuery query) {
        for (Stock stock : stocks) {
            Optional<Stock.Item> item = find(stock, query.transfer(), query.topic());
            if (item.isPresent() && stock.isWhole(item.get())) {
                send(
                        Addresses.inbox(query.asker()),
                        RepairOffer.of(query.transfer(), agent, item.get().rank()));
                return;
            }
        }
    }

    private static Optional<Stock.Item> find(Stock stock, TransferId transfer, String topic) {
        return stock.find(transfer).filter(item -> item.row().topic().equals(topic));
    }

    /**
     * Does something unless a transfer is promised to somebody, and lets nobody be promised it meanwhile: who wants that gets
     * no answer and asks again. Returns whether it was done. May take its time: other transfers are promised.
     */
    public boolean unlessPromised(String transfer, Runnable task) {
        if (!withhold(transfer)) {
            return false;
        }
        try {
            task.run();
            return true;
        } finally {
            release(transfer);
        }
    }

    private synchronized boolean withhold(String transfer) {
        return !isPromised(transfer) && withheld.add(transfer);
    }

    private synchronized void release(String transfer) {
        withheld.remove(transfer);
    }

    private boolean isPromised(String transfer) {
        return !ledger.leases(transfer).isEmpty();
    }

    /** Without a record there is no promise: the broker asks again, and repairs are served even when the disk is full. */
    private void grantIfPossible(LeaseRequest request, List<TransferId> transfers) {
        try {
            List<List<Promise>> found = transfers.stream()
                    .map(transfer -> promisesIfReadable(request, transfer))
                    .toList();
            for (LeaseRow lease : promise(found)) {
                send(
                        request.replyTo(),
                        new LeaseGrant(
                                request.request(),
                                TransferId.parse(lease.transferId()),
                                request.subscription(),
                                agent,
                                lease.through()));
            }
        } catch (CompletionException | StorageException e) {
            LOG.warn(
                    "transfers {} are not promised to {}: {}",
                    transfers.size() > 1 ? transfers.get(0) + " and " + (transfers.size() - 1) + " others" : transfers,
                    request.subscription(),
                    e.toString());
        }
    }

    /** A lease that could be given, and of what. */
    private record Promise(Stock stock, Stock.Item item, LeaseRow lease) {}

    /** One that the ledger cannot tell of keeps no promise from the others. */
    private List<Promise> promisesIfReadable(LeaseRequest request, TransferId transfer) {
        try {
            return promises(request, transfer);
        } catch (StorageException e) {
            LOG.warn("transfer {} is not promised to {}: {}", transfer, request.subscription(), e.toString());
            return List.of();
        }
    }

    /** Returns all that could be promised of a transfer, the best first. */
    private List<Promise> promises(LeaseRequest request, TransferId transfer) {
        List<Promise> all = new ArrayList<>();
        for (Stock stock : stocks) {
            Optional<Stock.Item> item = find(stock, transfer, request.topic())
                    .filter(found -> !found.row().subscription().equals(request.subscription()));
            if (item.isEmpty()) {
                continue;
            }
            receiptsWanted.accept(request.topic()); // may wait for the broker; what is here after that counts
            long through = stock.through(item.get());
            if (through > 0) {
                all.add(new Promise(
                        stock,
                        item.get(),
                        new LeaseRow(
                                transfer.toString(),
                                request.topic(),
                                request.subscription(),
                                through,
                                clock.millis())));
            }
        }
        return all;
    }

    /** Records leases of what stays here, one of each list at most, in one commit; returns those that are so. */
    private synchronized List<LeaseRow> promise(List<List<Promise>> transfers) {
        List<Promise> held = new ArrayList<>();
        for (List<Promise> each : transfers) {
            each.stream().filter(this::isHeld).findFirst().ifPresent(held::add);
        }
        if (held.isEmpty()) {
            return List.of();
        }
        List<LedgerChange> leases = new ArrayList<>();
        held.forEach(each -> leases.add(new LedgerChange.PutLease(each.lease())));
        try {
            ledger.commit(leases).join();
        } catch (CompletionException | StorageException e) {
            for (Promise each : held) {
                try {
                    releaseUnlessPromised(each.lease().transferId());
                } catch (StorageException left) {
                    e.addSuppressed(left);
                }
            }
            throw e;
        }
        // delivered and gone between the first look and the lease
        List<Promise> gone =
                held.stream().filter(each -> !each.stock().hold(each.item())).toList();
        if (!gone.isEmpty()) {
            List<LedgerChange> ends = new ArrayList<>();
            gone.forEach(each -> ends.add(new LedgerChange.DeleteLease(
                    each.lease().transferId(), each.lease().subscription())));
            ledger.commit(ends).join();
            held.removeAll(gone);
        }
        return held.stream().map(Promise::lease).toList();
    }

    private boolean isHeld(Promise promise) {
        return !withheld.contains(promise.lease().transferId())
                && promise.stock().hold(promise.item());
    }

    /** Takes a receipt of a topic: ends the lease that it fulfils. */
    public void receipt(Receipt receipt) {
        String transfer = receipt.transfer().toString();
        boolean fulfilled = ledger.leases(transfer).stream()
                .anyMatch(lease -> lease.subscription().equals(receipt.subscription())
                        && lease.topic().equals(receipt.topic()));
        if (!fulfilled) {
            return;
        }
        end(List.of(transfer), receipt.subscription());
    }

    /** Ends all leases of a subscription that is no more; returns how many there were. */
    int end(String topic, String subscription) {
        List<String> transfers = ledger.leases().stream()
                .filter(lease ->
                        lease.topic().equals(topic) && lease.subscription().equals(subscription))
                .map(LeaseRow::transferId)
                .toList();
        for (int from = 0; from < transfers.size(); from += BATCH) {
            end(transfers.subList(from, Math.min(from + BATCH, transfers.size())), subscription);
        }
        return transfers.size();
    }

    /** What is promised to nobody else any more is no longer held. */
    private void end(List<String> transfers, String subscription) {
        List<LedgerChange> ends = new ArrayList<>();
        transfers.forEach(transfer -> ends.add(new LedgerChange.DeleteLease(transfer, subscription)));
        ledger.commit(ends).join();
        transfers.forEach(this::releaseUnlessPromised);
    }

    /** Nobody may be promised between the look and the release. */
    private synchronized void releaseUnlessPromised(String transfer) {
        for (Stock stock : isPromised(transfer) ? List.<Stock>of() : stocks) {
            stock.find(TransferId.parse(transfer)).ifPresent(stock::release);
        }
    }

    /** A transfer was delivered here: if some of it was leased before, its bytes are held from now on. */
    public void delivered(TransferId transfer) {
        if (isPromised(transfer.toString())) {
            holdIfPromised(transfer);
        }
    }

    /** The promise must not end between the look and the hold. */
    private synchronized void holdIfPromised(TransferId transfer) {
        for (Stock stock : isPromised(transfer.toString()) ? stocks : List.<Stock>of()) {
            stock.find(transfer).ifPresent(stock::hold);
        }
    }

    /**
     * Serves a repair request; reads and sends all its pieces before it returns. The broker has let it pass for the topic that
     * it names, so that it is served of no other; who names none is an older agent, and is served.
     */
    public void serve(RepairRequest request) throws InterruptedException {
        Optional<Source> source = source(request);
        if (source.isEmpty()) {
            String ofTopic = request.topic().isEmpty() ? "" : " of topic " + request.topic();
            refuse(request, "transfer " + request.transfer() + ofTopic + " is not here");
            return;
        }
        try {
            serve(source.get().stock(), source.get().item(), request, BitSet.valueOf(request.bitmap()));
        } catch (AgentException | WireException e) {
            refuse(request, String.valueOf(e.getMessage()));
        }
    }

    /** Returns where all of what is asked for is, or else a beginning of it. */
    private Optional<Source> source(RepairRequest request) {
        Source beginning = null;
        for (Stock stock : stocks) {
            Optional<Stock.Item> item = request.topic().isEmpty()
                    ? stock.find(request.transfer())
                    : find(stock, request.transfer(), request.topic());
            Optional<Source> found = item.map(each -> new Source(stock, each));
            if (found.isPresent() && stock.isWhole(found.get().item())) {
                return found;
            }
            beginning = beginning == null ? found.orElse(null) : beginning;
        }
        return Optional.ofNullable(beginning);
    }

    private record Source(Stock stock, Stock.Item item) {}

    private void serve(Stock stock, Stock.Item item, RepairRequest request, BitSet wanted) throws InterruptedException {
        long bytes = 0;
        for (int bit = wanted.nextSetBit(0); bit >= 0; bit = wanted.nextSetBit(bit + 1)) {
            var piece = stock.read(item, request.first() + bit);
            bytes += piece.body().remaining();
            link.offer(Addresses.inbox(request.asker()), piece, "", logged("repair piece"));
        }
        notices.accept("repair: served " + wanted.cardinality() + " pieces (" + bytes + " bytes) of transfer "
                + request.transfer() + " to " + request.subscription());
    }

    private void refuse(RepairRequest request, String reason) {
        notices.accept("repair: refused to " + request.subscription() + ": " + reason);
        send(Addresses.inbox(request.asker()), new RepairRefusal(request.transfer(), agent, reason));
    }

    private void send(String address, Frame frame) {
        try {
            link.offer(address, frame, "", logged(frame.type().wireName()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The asker asks again when an answer is lost, so a refusal is only worth a line in the log. */
    private static OfferListener logged(String what) {
        return OfferListener.whenRefused(reason -> LOG.debug("{} not delivered: {}", what, reason.getMessage()));
    }
}
