package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Callbacks;
import io.longhaul.agent.DeliveryTarget;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
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

/** Carries transfers on to the subscription's target before they count as delivered. Finisher thread only, or before it has work. */
final class Onward {
    private static final long LOOK_MILLIS = 100;

    private final Optional<DeliveryTarget> target;
    private final BooleanSupplier closing;

    Onward(Optional<DeliveryTarget> target, BooleanSupplier closing) {
        this.target = target;
        this.closing = closing;
    }

    /**
     * Carries on those that are in place, all at a time, and waits for them; returns why, for each that the target will
     * never have. Throws CLOSED when the subscription closes meanwhile.
     */
    Map<Incoming, String> carry(List<Incoming> placed, Placement placement) {
        Map<Incoming, CompletableFuture<Void>> going = new LinkedHashMap<>();
        target.ifPresent(there -> placed.stream()
                .filter(incoming -> placement.outcome(incoming) == Receipt.Outcome.DELIVERED)
                .forEach(incoming -> going.put(incoming, begun(there, incoming))));
        Map<Incoming, String> refused = new LinkedHashMap<>();
        going.forEach((incoming, future) -> refusal(future).ifPresent(reason -> refused.put(incoming, reason)));
        return refused;
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

    private Optional<String> refusal(CompletableFuture<Void> future) {
        while (!closing.getAsBoolean()) {
            try {
                future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return Optional.empty();
            } catch (ExecutionException | CancellationException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                return Optional.of(
                        cause instanceof AgentException known
                                ? String.valueOf(known.getMessage())
                                : "target: " + cause);
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
