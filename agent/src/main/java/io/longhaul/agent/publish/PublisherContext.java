package io.longhaul.agent.publish;

import io.longhaul.agent.Job;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.TopicDesk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.Spool;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a {@link Publisher} works with; it closes none of it.
 *
 * @param ledger the agent's ledger
 * @param spool the agent's spool
 * @param link the way to the network
 * @param desk told of topics that are published to
 * @param agent the agent's name
 * @param job what all that is published belongs to
 * @param platform time, chance and threads
 * @param bounds sizes
 */
public record PublisherContext(
        Ledger ledger,
        Spool spool,
        Link link,
        TopicDesk desk,
        String agent,
        Optional<Job> job,
        Platform platform,
        Bounds bounds) {

    /** Runs a task later, on a thread that the task does not block. */
    @FunctionalInterface
    public interface Delay {
        void call(Duration after, Runnable task);
    }

    /**
     * Time, chance and threads.
     *
     * @param clock for what people read
     * @param nanoTime monotonic nanoseconds
     * @param random source of transfer ids
     * @param executor starts a thread for every task that it is given at once; never runs tasks in the caller
     * @param delay timers
     * @param notices takes lines for a person; must not block
     */
    public record Platform(
            Clock clock,
            LongSupplier nanoTime,
            RandomGenerator random,
            Executor executor,
            Delay delay,
            Consumer<String> notices) {}

    /**
     * Sizes.
     *
     * @param windowBytes the link's window: most bytes offered and without an outcome
     * @param slotBytes largest piece that the spool takes; each takes as much
     * @param spoolQuotaBytes most bytes of spool
     */
    public record Bounds(int windowBytes, int slotBytes, long spoolQuotaBytes) {

        /** Whether the spool takes nothing, however long one waits. */
        boolean isWithoutSpool() {
            return spoolQuotaBytes < slotBytes;
        }
    }
}
