package io.longhaul.gridftp.topic;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Asks the broker for clients, who do not wait long: an agent waits much longer for a broker that is away, and each client
 * would. What is asked just after the broker was found away is not asked at all. Thread-safe.
 */
final class Questions {
    static final Duration PATIENCE = Duration.ofSeconds(3);
    static final Duration REMEMBERED = Duration.ofSeconds(5);

    private final World world;
    private final AtomicLong awayUntilNs;

    Questions(World world) {
        this.world = world;
        this.awayUntilNs = new AtomicLong(world.nanoTime().getAsLong());
    }

    /** Returns the answer; nothing when the broker is away. */
    <T> CompletableFuture<Optional<T>> ask(FilePath path, Supplier<T> question) {
        if (awayUntilNs.get() - world.nanoTime().getAsLong() > 0) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
        try {
            world.workers().execute(() -> put(path, question, answer));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    new BackendException(Code.UNAVAILABLE, path + ": the back end is closed", e));
        }
        world.delay().call(PATIENCE, () -> {
            if (!answer.isDone()) {
                isAway();
                answer.complete(Optional.empty());
            }
        });
        return answer;
    }

    private <T> void put(FilePath path, Supplier<T> question, CompletableFuture<Optional<T>> answer) {
        try {
            T answered = question.get();
            isBack();
            answer.complete(Optional.of(answered));
        } catch (AgentException e) {
            if (e.code() == AgentException.Code.UNREACHABLE) {
                isAway();
                answer.complete(Optional.empty());
            } else {
                answer.completeExceptionally(Refusals.of(path, e));
            }
        } catch (RuntimeException e) {
            answer.completeExceptionally(Refusals.of(path, e));
        }
    }

    private void isAway() {
        awayUntilNs.set(world.nanoTime().getAsLong() + REMEMBERED.toNanos());
    }

    private void isBack() {
        awayUntilNs.set(world.nanoTime().getAsLong());
    }
}
