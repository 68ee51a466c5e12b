package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Callbacks;
import io.longhaul.agent.Progress;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import io.longhaul.wire.RepairOffer;
import io.longhaul.wire.RepairRefusal;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TransferId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Serves one subscription: what is published to its topic appears in its directory, once, whole, with a receipt.
 *
 * <p>{@link #start} claims the subscription and takes up what a predecessor left. May be used from any thread. Threads:
 * {@code agent-receiver-N} takes frames and writes, {@code agent-syncer-N} makes durable, {@code agent-finisher-N}
 * verifies and places, {@code agent-listener-N} calls the listener, {@code agent-outbox-N} offers frames.
 */
public final class Receiver implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);
    /** Why a transfer that was given up here has failed. */
    static final String CANCELLED = "cancelled by its subscriber";

    static final Duration PATIENCE_WITH_LISTENER = Duration.ofSeconds(10);
    private static final int IDLE_THREAD_SECONDS = 30;

    private final ReceiverContext context;
    private final SubscribeRequest request;
    private final SubscriptionListener listener;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ExecutorService syncer;
    private final ExecutorService finisher;
    private final ExecutorService announcer;
    private final ExecutorService outbox;
    private volatile @Nullable Pipeline pipeline;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Thread listening; // the one that calls the listener
    private volatile @Nullable Thread finishing; // the one that calls the target

    /** Makes a receiver that does nothing until it is started. */
    public Receiver(ReceiverContext context, SubscribeRequest request, SubscriptionListener listener) {
        this.context = context;
        this.request = request;
        this.listener = listener;
        this.syncer = worker(task -> thread(task, "syncer"));
        this.finisher = worker(this::finishingThread);
        this.announcer = worker(this::listeningThread);
        this.outbox = worker(task -> thread(task, "outbox"));
    }

    private static ExecutorService worker(ThreadFactory threads) {
        ThreadPoolExecutor worker = new ThreadPoolExecutor(
                1, 1, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        worker.allowCoreThreadTimeOut(true);
        return worker;
    }

    private Thread thread(Runnable task, String role) {
        Thread made = context.threads().newThread(task);
        made.setName("agent-" + role + "-" + made.getId());
        return made;
    }

    private Thread finishingThread(Runnable task) {
        Thread made = thread(task, "finisher");
        finishing = made;
        return made;
    }

    private Thread listeningThread(Runnable task) {
        Thread made = thread(task, "listener");
        listening = made;
        return made;
    }

    /**
     * Claims the subscription and starts to serve it.
     *
     * <p>The directory comes first: a claim that nobody can serve would swallow what is published.
     *
     * <p>Throws {@link io.longhaul.agent.link.LinkException} when the claim fails and {@link
     * io.longhaul.storage.StorageException} when the directory cannot be used.
     */
    public void start() {
        TargetDirectory target = TargetDirectory.open(
                context.disk(),
                request.into(),
                TimeUnit.MILLISECONDS.toNanos(context.clock().millis()));
        Inflow inflow = context.link().subscribe(request.topic(), request.name(), context.owner());
        try {
            Pipeline made = new Pipeline(
                    context,
                    request,
                    listener,
                    target,
                    inflow,
                    new Pipeline.Machinery(
                            syncer, finisher, announcer, outbox, this::sleep, this::isClosing, this::failed));
            Thread receiver = thread(() -> run(made, inflow), "receiver");
            pipeline = made;
            thread = receiver;
            receiver.start();
        } catch (RuntimeException | Error e) {
            inflow.close();
            throw e;
        }
    }

    private void run(Pipeline made, Inflow inflow) {
        try {
            made.resume();
            while (!isClosing()) {
                made.loop().step();
            }
            if (failure.get() == null) {
                made.loop().finish();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(e);
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            end(made, inflow);
        }
    }

    private void end(Pipeline made, Inflow inflow) {
        closing.countDown();
        try {
            made.loop().abandon();
            inflow.close();
        } catch (RuntimeException e) {
            LOG.warn("the flow of subscription {} did not close", request.name(), e);
        }
        finisher.shutdown();
        syncer.shutdown();
        outbox.shutdownNow();
        announcer.shutdown();
        Throwable why = failure.get();
        if (why == null) {
            closed.complete(null);
        } else {
            closed.completeExceptionally(why instanceof AgentException ? why : Stop.of(request, why));
        }
    }

    /** What ends a wait because of the close is no failure. */
    private void failed(Throwable why) {
        boolean isEndOfWait = why instanceof LinkException
                || why instanceof StorageException storage && storage.code() == StorageException.Code.CLOSED;
        if (isClosing() && isEndOfWait) {
            return;
        }
        if (failure.compareAndSet(null, why)) {
            boolean isForeseen = why instanceof LinkException || why instanceof StorageException;
            LOG.atLevel(isForeseen ? Level.WARN : Level.ERROR)
                    .setCause(isForeseen && !LOG.isDebugEnabled() ? null : why)
                    .log(
                            "subscription {} of topic {} cannot go on: {}",
                            request.name(),
                            request.topic(),
                            why.getMessage());
        }
        closing.countDown();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private boolean sleep(Duration time) {
        try {
            return !closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Takes a repair offer, refusal or piece from the agent's inbox; waits a little while many wait, then drops it. What is
     * taken is not durable yet: lost, it is asked for again. One thread at a time.
     */
    public void inbox(Frame frame) {
        Pipeline serving = pipeline;
        if (serving == null) {
            return;
        }
        try {
            serving.inbox(frame);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Gives a repair offer, refusal or piece to all that its transfer is on its way into: it does not say which of them
     * asked, and each needs it. Waits as {@link #inbox} does, for one that stands still only once.
     */
    public static void share(Frame frame, List<Receiver> receivers) {
        repaired(frame)
                .ifPresent(transfer ->
                        receivers.stream().filter(each -> each.wants(transfer)).forEach(each -> each.inbox(frame)));
    }

    /** Gives what archives retain to the subscription that asked; waits as {@link #inbox} does. */
    public static void answered(RetainedAnswer answer, List<Receiver> receivers) {
        receivers.stream()
                .filter(each ->
                        each.topic().equals(answer.topic()) && each.name().equals(answer.subscription()))
                .forEach(each -> each.inbox(answer));
    }

    private static Optional<TransferId> repaired(Frame frame) {
        if (frame instanceof Piece piece) {
            return Optional.of(piece.header().transfer());
        }
        if (frame instanceof RepairOffer offer) {
            return Optional.of(offer.transfer());
        }
        return frame instanceof RepairRefusal refusal ? Optional.of(refusal.transfer()) : Optional.empty();
    }

    boolean wants(TransferId transfer) {
        Pipeline serving = pipeline;
        return serving != null && serving.transfers().isActive(transfer.toString());
    }

    /**
     * Takes a question to holders: a seal asks for the receipt of its transfer, which is sent again by each that has recorded
     * one. Others are none of a receiver's.
     */
    public static void asked(Frame frame, List<Receiver> receivers) {
        if (frame instanceof Seal seal) {
            receivers.forEach(each -> each.repeatReceipt(seal.transfer()));
        }
    }

    private void repeatReceipt(TransferId transfer) {
        Pipeline serving = pipeline;
        if (serving != null) {
            serving.repeatReceipt(transfer.toString());
        }
    }

    /** Returns the name of the one of these subscriptions that keeps an archive of a topic. */
    public static Optional<String> archiveOf(String topic, List<Receiver> receivers) {
        return receivers.stream()
                .filter(each -> each.request.isArchive() && each.topic().equals(topic))
                .map(Receiver::name)
                .findFirst();
    }

    /**
     * Gives up a transfer that is still coming in; completes when the ledger has it, fails with an {@link AgentException} or
     * {@link io.longhaul.storage.StorageException} that says why it cannot be done. Nothing is done any more when the future
     * was ended before it was begun.
     *
     * @param unpromised keeps it from being promised to others meanwhile
     */
    public CompletableFuture<Void> cancel(String transfer, Unpromised unpromised) {
        Pipeline serving = pipeline;
        if (serving == null) {
            return CompletableFuture.failedFuture(new AgentException(
                    AgentException.Code.REFUSED,
                    "transfer " + transfer + " is not cancelled: subscription " + name() + " of topic " + topic()
                            + " is just being opened, try again"));
        }
        CompletableFuture<Void> done = serving.loop().cancel(transfer, unpromised);
        closed.whenComplete((nothing, why) -> done.completeExceptionally(new AgentException(
                AgentException.Code.INTERRUPTED,
                "transfer " + transfer + " is not cancelled: subscription " + name() + " of topic " + topic()
                        + " was closed meanwhile")));
        return done;
    }

    @Override
    public String topic() {
        return request.topic();
    }

    @Override
    public String name() {
        return request.name();
    }

    @Override
    public List<Progress> progress() {
        Pipeline serving = pipeline;
        return serving == null ? List.of() : serving.transfers().progress();
    }

    @Override
    public boolean hasCaughtUp() {
        Pipeline serving = pipeline;
        return serving != null && serving.catchUp().hasCaughtUp();
    }

    @Override
    public CompletableFuture<Void> closed() {
        return Callbacks.future("what waits for the end of subscription " + name() + " of topic " + topic(), closed);
    }

    /** Begins to close and returns at once: the receiver ends when it has waited for its next delivery. */
    public void stopSoon() {
        closing.countDown();
    }

    /**
     * Closes at once, unless {@link #stopSoon} has come before: it then ends by itself, as may many others. Waits for what is
     * being written and for the listener, unless one of the threads that do this calls it, as for the listener or the target.
     */
    @Override
    public void close() {
        boolean begun = isClosing();
        stopSoon();
        Pipeline serving = pipeline;
        if (serving != null && !begun) {
            serving.loop().wake();
        }
        Thread receiver = thread;
        boolean interrupted = false;
        if (receiver == null) {
            List.of(syncer, finisher, outbox, announcer).forEach(ExecutorService::shutdown);
            closed.complete(null);
        } else if (Thread.currentThread() == receiver || Thread.currentThread() == finishing) {
            return; // what is being written waits for this
        } else {
            interrupted = join(receiver);
        }
        interrupted |= await(finisher, Duration.ofDays(1));
        interrupted |= await(syncer, Duration.ofDays(1));
        if (Thread.currentThread() != listening) {
            interrupted |= await(announcer, PATIENCE_WITH_LISTENER);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean join(Thread receiver) {
        try {
            receiver.join();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static boolean await(ExecutorService worker, Duration longest) {
        try {
            if (!worker.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("the subscription's listener did not return");
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
