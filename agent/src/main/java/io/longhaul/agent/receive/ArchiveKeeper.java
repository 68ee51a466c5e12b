package io.longhaul.agent.receive;

import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Sees to it every few seconds that an archive keeps to its {@link Retention}, until its subscription is closed; less often
 * where that takes long, as in a large archive, but every minute: what is to go may be the space that is wanted next.
 */
public final class ArchiveKeeper {
    private static final Duration LEAST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final int SHARE = 50;

    private final IntSupplier pruning;
    private final Subscription subscription;
    private final CompletableFuture<Void> closed;
    private final BiConsumer<Duration, Runnable> timer;
    private final LongSupplier nanoTime;
    private final Consumer<String> notices;

    /** Takes what removes all that is due, and returns how many transfers that were. */
    ArchiveKeeper(
            IntSupplier pruning,
            Subscription subscription,
            BiConsumer<Duration, Runnable> timer,
            LongSupplier nanoTime,
            Consumer<String> notices) {
        this.pruning = pruning;
        this.subscription = subscription;
        this.closed = subscription.closed();
        this.timer = timer;
        this.nanoTime = nanoTime;
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
            ReceiverContext context,
            Unpromised unpromised,
            BiConsumer<Duration, Runnable> timer,
            Consumer<String> notices) {
        request.archive()
                .filter(retention -> !retention.equals(Retention.FOR_EVER))
                .map(retention -> new Pruning(
                        context.ledger(),
                        context.disk(),
                        context.holdings(),
                        context.clock(),
                        request,
                        retention,
                        unpromised))
                .ifPresent(pruning ->
                        new ArchiveKeeper(pruning::prune, subscription, timer, context.nanoTime(), notices).begin());
    }

    void begin() {
        timer.accept(LEAST_PAUSE, this::prune);
    }

    private void prune() {
        if (closed.isDone()) {
            return;
        }
        long sinceNs = nanoTime.getAsLong();
        try {
            int pruned = pruning.getAsInt();
            if (pruned > 0) {
                notices.accept(
                        "archive of topic " + subscription.topic() + ": transfers no longer retained: " + pruned);
            }
        } catch (RuntimeException e) {
            notices.accept("archive of topic " + subscription.topic() + ": nothing was removed: " + e.getMessage());
        }
        timer.accept(pauseAfter(nanoTime.getAsLong() - sinceNs), this::prune);
    }

    private static Duration pauseAfter(long tookNs) {
        long pauseNs = Math.min(SHARE * tookNs, LONGEST_PAUSE.toNanos());
        return Duration.ofNanos(Math.max(pauseNs, LEAST_PAUSE.toNanos()));
    }
}
