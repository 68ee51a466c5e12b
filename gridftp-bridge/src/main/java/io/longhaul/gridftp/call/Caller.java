package io.longhaul.gridftp.call;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks other endpoints and waits for their answers: repeats a call under the same number every two seconds, and as soon as
 * the post is connected again. Thread-safe.
 */
public final class Caller {
    /** How long an endpoint may be silent before a call is given up, unless it is for ever. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * How long a back waits for a server that is away before it says so, where a client waits for a reply: as long as most take
     * to be started again, and less than the 120 s that curl gives a reply.
     */
    public static final Duration SERVER_PATIENCE = Duration.ofSeconds(90);

    /** How soon a call is sent again, and how soon a back looks again at a server that is away. */
    public static final Duration REPEAT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Caller.class);
    private static final int MOST_CALLS = 10_000;

    /** A longer answer is read elsewhere, so that what comes behind it does not wait for that. */
    private static final int SHORT_TEXT = 16 * 1024;

    private final PostOffice office;
    private final World world;
    private final Optional<Duration> patience;
    private final Map<Number128, Pending> pending = new ConcurrentHashMap<>();

    /**
     * What a caller needs of the world.
     *
     * @param scheduler says when to repeat; its tasks are short
     * @param sender sends messages and may block; one thread keeps their order
     * @param reader reads answers that are long, and completes their futures
     * @param random makes up numbers
     */
    public record World(
            ScheduledExecutorService scheduler,
            Executor sender,
            Executor reader,
            LongSupplier nanoTime,
            RandomGenerator random) {}

    /**
     * Takes the answers that come to an office, which is not open yet.
     *
     * @param patience how long an endpoint may be silent before a call to it fails, as it does with {@link Code#UNAVAILABLE}
     */
    public Caller(PostOffice office, World world, Duration patience) {
        this.office = office;
        this.world = world;
        this.patience = Optional.of(patience);
        office.handTo(Set.of(MessageKind.ANSWER), (from, message) -> received(from, (Message.Answer) message));
        office.onReconnect(() -> pending.values().forEach(Pending::send));
    }

    /**
     * Asks an endpoint; the future completes with its last word, on a thread of the post that must not be blocked, or of those
     * that read long answers, or fails with a {@link BackendException}: that of the other end, UNAVAILABLE after some time
     * without a word, or FAILED when the word cannot be read. Cancelling it ends the repeating.
     *
     * @param progress told how far it is, on a thread of the post; must not block
     */
    public CompletableFuture<Answer> call(String endpoint, Call call, Consumer<Answer.Working> progress) {
        return start(new Pending(endpoint, call, patience, progress));
    }

    /**
     * The same, but never given up; for what survives the absence of the other end. A word that cannot be read is UNAVAILABLE: a
     * later version of that end may say another one.
     */
    public CompletableFuture<Answer> callForEver(String endpoint, Call call, Consumer<Answer.Working> progress) {
        return start(new Pending(endpoint, call, Optional.empty(), progress));
    }

    /** Returns how a call fails that an endpoint has not answered within that time. */
    public static BackendException silent(String endpoint, Duration patience) {
        return new BackendException(
                Code.UNAVAILABLE,
                "endpoint " + endpoint + ": expected an answer within " + patience.toSeconds()
                        + " s, found none: Connection timed out");
    }

    private CompletableFuture<Answer> start(Pending call) {
        if (pending.size() >= MOST_CALLS && call.limit.isPresent()) {
            return CompletableFuture.failedFuture(new BackendException(
                    Code.UNAVAILABLE,
                    "endpoint " + call.endpoint + ": " + MOST_CALLS + " calls wait already: Resource temporarily"
                            + " unavailable"));
        }
        pending.put(call.number, call);
        call.answer.whenComplete((answer, failure) -> call.end());
        call.begin();
        return call.answer;
    }

    private void received(String from, Message.Answer message) {
        Pending call = pending.get(message.number());
        if (call == null) {
            return;
        }
        if (!call.endpoint.equals(from)) {
            LOG.warn("answer of endpoint {} to a call of endpoint {} dropped", from, call.endpoint);
            return;
        }
        call.received(message);
    }

    /** A call that is not answered. */
    private final class Pending {
        private final Number128 number = Number128.next(world.random());
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private final AtomicBoolean isQueued = new AtomicBoolean();
        private final AnswerParts parts = new AnswerParts(); // guarded by itself
        private volatile boolean isBeingRead; // a long answer, which is all here
        private final String endpoint;
        private final Call call;
        private final Optional<Duration> limit;
        private final Consumer<Answer.Working> progress;
        private final long begunNs = world.nanoTime().getAsLong();
        private volatile long heardNs = begunNs;
        private volatile Future<?> repeat = CompletableFuture.completedFuture(null);

        Pending(String endpoint, Call call, Optional<Duration> limit, Consumer<Answer.Working> progress) {
            this.endpoint = endpoint;
            this.call = call;
            this.limit = limit;
            this.progress = progress;
        }

        void begin() {
            send();
            try {
                repeat = world.scheduler()
                        .scheduleWithFixedDelay(
                                this::repeat, REPEAT.toMillis(), REPEAT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                answer.completeExceptionally(ending(e));
            }
            if (answer.isDone()) {
                // answered before there was anything to end
                repeat.cancel(false);
            }
        }

        private static BackendException ending(RejectedExecutionException e) {
            return new BackendException(Code.UNAVAILABLE, "the front is ending", e);
        }

        private void repeat() {
            if (isBeingRead) {
                return;
            }
            long silentNs = world.nanoTime().getAsLong() - heardNs;
            if (limit.isPresent() && silentNs >= limit.get().toNanos()) {
                answer.completeExceptionally(silent(endpoint, limit.get()));
            } else {
                send();
            }
        }

        void send() {
            if (isQueued.getAndSet(true)) {
                return;
            }
            try {
                world.sender().execute(this::sendNow);
            } catch (RejectedExecutionException e) {
                LOG.debug("call to endpoint {} not sent: ending", endpoint);
            }
        }

        private void sendNow() {
            isQueued.set(false);
            if (answer.isDone() || isBeingRead) {
                return;
            }
            String text =
                    CallCodec.encode(call, Duration.ofNanos(world.nanoTime().getAsLong() - begunNs));
            try {
                office.send(endpoint, new Message.Call(number, text));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.warn("call to endpoint {} not sent: {}", endpoint, e.getMessage());
            }
        }

        void received(Message.Answer message) {
            heardNs = world.nanoTime().getAsLong();
            try {
                List<String> all = add(message);
                if (isLong(all)) {
                    world.reader().execute(() -> {
                        read(all);
                        isBeingRead = false;
                    });
                } else if (!all.isEmpty()) {
                    read(all);
                }
            } catch (CallException e) {
                unreadable(e);
            } catch (RejectedExecutionException e) {
                answer.completeExceptionally(ending(e));
            }
        }

        /** Returns all parts of an answer with the last one; none before, and none while a long one is being read. */
        private List<String> add(Message.Answer message) {
            synchronized (parts) {
                if (isBeingRead) {
                    return List.of();
                }
                List<String> all = parts.add(message.part(), message.parts(), message.text());
                isBeingRead = isLong(all);
                return all;
            }
        }

        private static boolean isLong(List<String> all) {
            return all.size() > 1 || all.size() == 1 && all.get(0).length() > SHORT_TEXT;
        }

        private void read(List<String> all) {
            try {
                heard(AnswerCodec.decode(AnswerParts.joined(all)));
            } catch (RuntimeException | OutOfMemoryError e) {
                unreadable(e);
            }
        }

        /** Asked again, the other end would say the same again. */
        private void unreadable(Throwable e) {
            LOG.warn(
                    "answer of endpoint {} to {} cannot be read",
                    endpoint,
                    call.type().wireName(),
                    e);
            answer.completeExceptionally(new BackendException(
                    limit.isPresent() ? Code.FAILED : Code.UNAVAILABLE,
                    "endpoint " + endpoint + ": its answer cannot be read: " + e.getMessage(),
                    e));
        }

        private void heard(Answer word) {
            if (word instanceof Answer.Working working) {
                progress.accept(working);
            } else if (word instanceof Answer.Failed failed) {
                answer.completeExceptionally(failed.exception());
            } else {
                answer.complete(word);
            }
        }

        void end() {
            pending.remove(number);
            repeat.cancel(false);
        }
    }
}
