package io.longhaul.agent.cancel;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.publish.Publisher;
import io.longhaul.agent.receive.Receiver;
import io.longhaul.agent.receive.Unpromised;
import io.longhaul.agent.receive.UnservedTransfer;
import io.longhaul.agent.repair.Holder;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.TransferId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Gives up unfinished transfers, whichever way they go. May be used from any thread. */
public final class Cancellation {
    private static final long PATIENCE_SECONDS = 30;
    private static final Set<TransferState> IN_PLACE_SOON = Set.of(TransferState.COMPLETE, TransferState.PLACING);

    private final Ledger ledger;
    private final Publisher publisher;
    private final Holder holder;
    private final Served served;
    private final Consumer<TransferRow> unserved;

    /** The subscriptions that this agent serves. */
    public interface Served {
        /** Returns the one of this topic and name; if there is none, does something before anybody begins to serve it. */
        Optional<Receiver> findOr(String topic, String name, Runnable unserved);
    }

    /** Takes what gives up a transfer whose subscription nobody serves; see {@link UnservedTransfer}. */
    public Cancellation(
            Ledger ledger, Publisher publisher, Holder holder, Served served, Consumer<TransferRow> unserved) {
        this.ledger = ledger;
        this.publisher = publisher;
        this.holder = holder;
        this.served = served;
        this.unserved = unserved;
    }

    /** Returns once the ledger has it: a process that dies right after must not go on with what was given up. */
    public void run(String id) {
        TransferId.parse(id);
        Optional<Publication> outgoing = publisher.find(id);
        if (outgoing.isPresent()) {
            outgoing(outgoing.get());
        } else {
            incoming(id);
        }
    }

    private void outgoing(Publication publication) {
        String id = publication.transfer();
        publication.cancel();
        CompletableFuture<String> end = publication
                .result()
                .handle((result, failure) ->
                        failure == null ? "it was completed before" : String.valueOf(failure.getMessage()));
        String how = await(end, id);
        TransferState state = ledger.transfer(Direction.OUTGOING, id, "")
                .map(TransferRow::state)
                .orElse(TransferState.CANCELLED); // nothing was kept of it
        if (state != TransferState.CANCELLED) {
            throw refused("transfer " + id + " is not cancelled: " + how);
        }
    }

    private void incoming(String id) {
        List<TransferRow> rows = ledger.transfers(Direction.INCOMING, id);
        List<TransferRow> unfinished =
                rows.stream().filter(Cancellation::isComingIn).toList();
        if (unfinished.isEmpty()) {
            throw refused("transfer " + id
                    + (rows.stream().anyMatch(row -> IN_PLACE_SOON.contains(row.state()))
                            ? " is all here and is being put in place: expected one that is still coming in"
                            : " has nothing left to cancel"));
        }
        unfinished.forEach(this::incoming);
    }

    private void incoming(TransferRow row) {
        String id = row.transferId();
        Unpromised unpromised = holder::unlessPromised;
        Runnable alone = () ->
                ledger.transfer(row.key()).filter(Cancellation::isComingIn).ifPresent(unserved);
        served.findOr(row.topic(), row.subscription(), () -> unpromised.giveUp(id, alone))
                .ifPresent(receiver -> await(receiver.cancel(id, unpromised), id));
    }

    /** One without a manifest, of which nobody knows what it is, is no transfer to its operator. */
    private static boolean isComingIn(TransferRow row) {
        return row.state() == TransferState.RECEIVING && !row.manifest().isEmpty();
    }

    static <T> T await(CompletableFuture<T> given, String id) {
        try {
            return given.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            given.cancel(false); // who hears that it goes on must not find it given up later
            throw new AgentException(
                    AgentException.Code.INTERRUPTED,
                    "transfer " + id + " is not cancelled yet: what works on it has not stopped within "
                            + PATIENCE_SECONDS + " s",
                    e);
        } catch (InterruptedException e) {
            given.cancel(false);
            Thread.currentThread().interrupt();
            throw new AgentException(
                    AgentException.Code.INTERRUPTED, "interrupted while transfer " + id + " was cancelled", e);
        }
    }

    private static AgentException refused(String line) {
        return new AgentException(AgentException.Code.REFUSED, line);
    }
}
