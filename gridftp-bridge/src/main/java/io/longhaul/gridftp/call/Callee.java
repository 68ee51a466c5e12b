package io.longhaul.gridftp.call;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does each call once, however often it comes, and says its answer as often as it is asked for. Answers are remembered for
 * ten minutes, 20,000 of them and 64 MiB at most.
 *
 * <p>A checksum takes as long as its file is long, and can be begun anew: one that its caller does not ask for any more is ended
 * where it is, and forgotten. Thread-safe.
 */
public final class Callee {
    private static final Logger LOG = LoggerFactory.getLogger(Callee.class);
    private static final Duration AGE = Duration.ofMinutes(10);

    /** A caller asks again every 2 s; one that has been silent for so long has gone, or comes anew. */
    private static final Duration GONE = Duration.ofSeconds(30);

    private static final int MOST_WORKING = 10_000;
    private static final int MOST_REMEMBERED = 20_000;
    private static final long MOST_TEXT = AnswerParts.MAX_TEXT;

    private final PostOffice office;
    private final Service service;
    private final Executor sender;
    private final LongSupplier nanoTime;
    private final Map<Key, Job> jobs = new LinkedHashMap<>(); // oldest first; guarded by this
    private long text; // characters of answers that are remembered; guarded by this
    private int working; // jobs that are not done; guarded by this

    /** Does what is asked for. */
    @FunctionalInterface
    public interface Service {
        /**
         * Begins to do a call; returns at once, and is called on a thread of the post. Failures are told by their code when
         * they are {@link BackendException}s.
         *
         * @param from name of the endpoint that asks
         * @param age how long before this copy was sent the first one was, which may have come to a process that is not any
         *     more
         * @param progress to be told how many bytes are done; throws a {@link CancellationException} when the caller of a
         *     checksum has gone
         */
        CompletableFuture<Answer> serve(String from, Call call, Duration age, LongConsumer progress);
    }

    private record Key(String from, Number128 number) {}

    /**
     * Takes the calls that come to an office, which is not open yet.
     *
     * @param sender sends messages and may block; one thread keeps their order
     */
    public Callee(PostOffice office, Service service, Executor sender, LongSupplier nanoTime) {
        this.office = office;
        this.service = service;
        this.sender = sender;
        this.nanoTime = nanoTime;
        office.handTo(Set.of(MessageKind.CALL), (from, message) -> received(from, (Message.Call) message));
    }

    private void received(String from, Message.Call message) {
        Key key = new Key(from, message.number());
        Job job;
        synchronized (this) {
            Job known = jobs.get(key);
            if (known != null) {
                known.heardNs = nanoTime.getAsLong();
                known.send();
                return;
            }
            if (working >= MOST_WORKING) {
                // comes again
                return;
            }
            job = new Job(key);
            jobs.put(key, job);
            working++;
            forget();
        }
        begin(job, message.text());
    }

    private void begin(Job job, String json) {
        CompletableFuture<Answer> done;
        try {
            CallCodec.Sent sent = CallCodec.decode(json);
            boolean mayEnd = sent.call().type() == Call.Type.CHECKSUM;
            done = service.serve(job.key.from(), sent.call(), sent.age(), bytes -> {
                job.bytes = bytes;
                if (mayEnd) {
                    job.checkCaller();
                }
            });
        } catch (CallException e) {
            LOG.warn("call of endpoint {} refused: {}", job.key.from(), e.getMessage());
            done = CompletableFuture.failedFuture(
                    new BackendException(Code.UNSUPPORTED, String.valueOf(e.getMessage()), e));
        } catch (RuntimeException e) {
            done = CompletableFuture.failedFuture(e);
        }
        done.whenComplete((answer, failure) -> {
            if (failure != null && job.isUnwanted) {
                drop(job);
            } else {
                end(job, failure == null ? answer : failed(failure));
            }
        });
    }

    /** A caller that was only cut off asks again, and it is begun anew. */
    private synchronized void drop(Job job) {
        jobs.remove(job.key);
        working--;
    }

    private static Answer failed(Throwable failure) {
        Throwable cause = BackendException.cause(failure);
        if (cause instanceof BackendException known) {
            return Answer.Failed.of(known);
        }
        LOG.warn("unexpected failure of a call", cause);
        return new Answer.Failed(Code.FAILED, "unexpected " + cause.getClass().getSimpleName());
    }

    private void end(Job job, Answer answer) {
        String whole = AnswerCodec.encode(answer);
        if (whole.length() > AnswerParts.MAX_TEXT) {
            whole = AnswerCodec.encode(new Answer.Failed(
                    Code.UNSUPPORTED,
                    "expected an answer of at most " + AnswerParts.MAX_TEXT + " characters, found " + whole.length()));
        }
        synchronized (this) {
            job.answer = AnswerParts.split(whole);
            job.length = whole.length();
            job.endedNs = nanoTime.getAsLong();
            text += job.length;
            working--;
            forget();
        }
        job.send();
    }

    /** The oldest go first; calls that go on stay. */
    private void forget() {
        long nowNs = nanoTime.getAsLong();
        int remembered = jobs.size() - working;
        Iterator<Job> oldest = jobs.values().iterator();
        while (oldest.hasNext()) {
            Job job = oldest.next();
            if (job.answer == null) {
                continue;
            }
            if (nowNs - job.endedNs < AGE.toNanos() && remembered <= MOST_REMEMBERED && text <= MOST_TEXT) {
                return;
            }
            oldest.remove();
            remembered--;
            text -= job.length;
        }
    }

    /** A call and what is known of it. */
    private final class Job {
        private final AtomicBoolean isQueued = new AtomicBoolean();
        private final Key key;
        private volatile long bytes;
        private volatile long heardNs = nanoTime.getAsLong();
        private volatile boolean isUnwanted;
        private volatile @Nullable List<String> answer;
        private long length; // guarded by the callee
        private long endedNs; // guarded by the callee

        Job(Key key) {
            this.key = key;
        }

        void checkCaller() {
            if (nanoTime.getAsLong() - heardNs >= GONE.toNanos()) {
                isUnwanted = true;
                throw new CancellationException("endpoint " + key.from() + " does not ask for it any more");
            }
        }

        void send() {
            if (isQueued.getAndSet(true)) {
                return;
            }
            try {
                sender.execute(this::sendNow);
            } catch (RejectedExecutionException e) {
                LOG.debug("answer to endpoint {} not sent: ending", key.from());
            }
        }

        private void sendNow() {
            isQueued.set(false);
            List<String> last = answer;
            List<String> parts = last == null ? List.of(AnswerCodec.encode(new Answer.Working(bytes))) : last;
            try {
                for (int part = 0; part < parts.size(); part++) {
                    office.send(key.from(), new Message.Answer(key.number(), part, parts.size(), parts.get(part)));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.warn("answer to endpoint {} not sent: {}", key.from(), e.getMessage());
            }
        }
    }
}
