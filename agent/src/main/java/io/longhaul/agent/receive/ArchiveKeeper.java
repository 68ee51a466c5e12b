package io.longhaul.agent.receive;

import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.storage.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Sees to it every few seconds that an archive keeps to its {@link Retention}, until its subscription is closed. */
public final class ArchiveKeeper {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Pruning pruning;
    private final Subscription subscription;
    private final CompletableFuture<Void> closed;
    private final BiConsumer<Duration, Runnable> timer;
    private final Consumer<String> notices;

    private ArchiveKeeper(
            Pruning pruning,
            Subscription subscription,
            BiConsumer<Duration, Runnable> timer,
            Consumer<String> notices) {
        this.pruning = pruning;
        this.subscription = subscription;
        this.closed = subscription.closed();
        this.timer = timer;
        this.notices = notices;
    }

    /**
     * Begins, when the request is for an archive that does not keep everything.
     *
     * @param timer runs something later, on a thread of its own
     */
    public static void keep(
            SubscribeRequest request,
            Subscription subscription,
            Store store,
            Unpromised unpromised,
            BiConsumer<Duration, Runnable> timer,
            Consumer<String> notices) {
        request.archive()
                .filter(retention -> !retention.equals(Retention.FOR_EVER))
                .map(retention ->
                        new Pruning(store.ledger(), store.disk(), Clock.systemUTC(), request, retention, unpromised))
                .ifPresent(pruning -> new ArchiveKeeper(pruning, subscription, timer, notices).later());
    }

    private void later() {
        timer.accept(PAUSE, this::prune);
    }

    private void prune() {
        if (closed.isDone()) {
            return;
        }
        try {
            int pruned = pruning.prune();
            if (pruned > 0) {
                notices.accept("archive of topic " + subscription.topic() + ": " + pruned
                        + " transfers are no longer retained");
            }
        } catch (RuntimeException e) {
            notices.accept("archive of topic " + subscription.topic() + ": nothing was removed: " + e.getMessage());
        }
        later();
    }
}
