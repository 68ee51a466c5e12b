package io.longhaul.agent.receive;

import io.longhaul.agent.DeliveryTarget;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Carries transfers on to the subscription's target before they count as delivered. Finisher thread only. */
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
                .forEach(incoming ->
                        going.put(incoming, there.deliver(Path.of(incoming.row.path()), incoming.manifest.name()))));
        Map<Incoming, String> refused = new LinkedHashMap<>();
        going.forEach((incoming, future) -> refusal(future).ifPresent(reason -> refused.put(incoming, reason)));
        return refused;
    }

    private Optional<String> refusal(CompletableFuture<Void> future) {
        while (!closing.getAsBoolean()) {
            try {
                future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return Optional.empty();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                return Optional.of(String.valueOf(cause.getMessage()));
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
