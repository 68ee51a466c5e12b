package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Callbacks;
import io.longhaul.agent.DeliveryTarget;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries transfers on to the subscription's target before they count as delivered. Finisher thread only, or before it has work. */
final class Onward {
    static final int MOST_TRIES = 6;
    private static final Logger LOG = LoggerFactory.getLogger(Onward.class);
    private static final long LOOK_MILLIS = 100;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final Optional<DeliveryTarget> target;
    private final Patience patience;
    private final BooleanSupplier closing;

    Onward(Optional<DeliveryTarget> target, Patience patience, BooleanSupplier closing) {
        this.target = target;
        this.patience = patience;
        this.closing = closing;
    }

    /** Takes those that are where they are to be, and why, for each that the target will never have. */
    interface Settled {
        void settled(List<Incoming> there, Map<Incoming, String> refused);
    }

    /**
     * Carries on those that are in place, all at a time, and waits for them; those that are clear are settled before others
     * are tried again. Throws CLOSED when the subscription closes meanwhile.
     */
    void carry(List<Incoming> placed, Placement placement, Settled settled) {
        List<Incoming> left = placed;
        Duration pause = FIRST_PAUSE;
        for (int tries = 1; !left.isEmpty(); tries++) {
            if (tries > 1) {
                patience.pause(pause);
                pause = pause.multipliedBy(2);
            }
            left = carryOnce(left, placement, tries == MOST_TRIES, settled);
        }
    }

    /**
     * Tries once; returns those that failed with what may pass.
     *
     * @param last whether that is taken for final, since others wait for their turn
     */
    private List<Incoming> carryOnce(List<Incoming> some, Placement placement, boolean last, Settled settled) {
        Map<Incoming, CompletableFuture<Void>> going = new LinkedHashMap<>();
        target.ifPresent(there -> some.stream()
                .filter(incoming -> placement.outcome(incoming) == Receipt.Outcome.DELIVERED)
                .forEach(incoming -> going.put(incoming, begun(there, incoming))));
        Map<Incoming, String> refused = new LinkedHashMap<>();
        List<Incoming> again = new ArrayList<>();
        going.forEach((incoming, future) -> {
            Throwable why = failure(future);
            if (why instanceof AgentException known) {
                refused.put(incoming, String.valueOf(known.getMessage()));
            } else if (why != null && last) {
                refused.put(incoming, "target: " + why);
            } else if (why != null) {
                LOG.warn("transfer {}: its target failed and is tried again", incoming.id(), why);
                again.add(incoming);
            }
        });
        List<Incoming> there = new ArrayList<>(some);
        there.removeAll(refused.keySet());
        there.removeAll(again);
        settled.settled(there, refused);
        return again;
    }

    /** What breaks off here would end the subscription, at every start, and nothing would come after this transfer. */
    private static CompletableFuture<Void> begun(DeliveryTarget there, Incoming incoming) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            return Objects.requireNonNull(
                    there.deliver(Path.of(incoming.row.path()), incoming.manifest.name()), "no future");
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            if (!interrupted) {
                Thread.interrupted(); // what the target leaves behind would end the wait for it, and the subscription
            }
        }
    }

    /** The end of a transfer is in the ledger: its target may remove what lies here. */
    void recorded(TransferRow row) {
        if (IncomingDetail.parse(row.detail()).outcome() == Receipt.Outcome.DELIVERED) {
            target.ifPresent(there -> Callbacks.call(
                    "the target of subscription " + row.subscription() + " of topic " + row.topic(),
                    () -> there.recorded(Path.of(row.path()), row.name())));
        }
    }

    /**
     * As {@link #recorded}, for a transfer whose end a predecessor recorded: only when it still lies in its place, and no
     * transfer that is being placed may lie there.
     */
    void recordedBefore(TransferRow row, Collection<Path> placing) {
        FileIdentity identity = IncomingDetail.parse(row.detail()).identity();
        if (target.isEmpty() || identity == null || row.path().isEmpty()) {
            return;
        }
        Path path = Path.of(row.path());
        boolean taken = placing.stream().anyMatch(other -> other.startsWith(path) || path.startsWith(other));
        // a number of a file that has gone may be another's now, so all of it must be the same
        if (!taken && FileIdentity.of(path).filter(identity::equals).isPresent()) {
            recorded(row);
        }
    }

    /** Waits for the target; returns what it failed with, null when it has it. */
    private @Nullable Throwable failure(CompletableFuture<Void> future) {
        while (!closing.getAsBoolean()) {
            try {
                future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return null;
            } catch (ExecutionException | CancellationException e) {
                return e.getCause() == null ? e : e.getCause();
            } catch (TimeoutException e) {
                // the target may wait for a server, for as long as it likes
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new StorageException(
                StorageException.Code.CLOSED, "the subscription closed while its target had not taken everything");
    }
}
