package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.wire.Names;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.HandleStatus;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes out over the link to one neighbour: takes messages from its queues as they come, and removes each from its
 * queue when the neighbour says that it has it on disk.
 *
 * <p>What has been sent and not been taken is bounded by a window in bytes, one for all queues. When the link is lost
 * it goes back to the heads of its queues, in order. Thread-safe; calls from the session do not block.
 */
final class LinkOutlet {
    private static final Logger LOG = LoggerFactory.getLogger(LinkOutlet.class);
    private static final int MOST_FRAMES = 10_000;
    private static final int WORD_SHARE = 12; // percent

    private final ActiveMQServer server;
    private final String self;
    private final String peer;
    private final long windowBytes;
    private final LongSupplier millis;
    private final Executor executor; // in order
    private final OperationContext context;
    private final Map<Queue, LinkTap> taps = new HashMap<>(); // guarded by this
    private final Set<Queue> held = new HashSet<>(); // guarded by this; left, and counted apart
    private final Map<Queue, Integer> thirsty =
            new LinkedHashMap<>(); // guarded by this; those whose tap had to say no, and to what priority
    private final Deque<Sent> sent = new ArrayDeque<>(); // guarded by this
    private @Nullable LinkSession session; // guarded by this
    private long sequence; // guarded by this
    private long sentBytes; // guarded by this
    private long takenFrames; // guarded by this
    private long takenBytes; // guarded by this
    private long resentFrames; // guarded by this

    private record Sent(long sequence, MessageReference reference, int bytes) {}

    LinkOutlet(ActiveMQServer server, String self, String peer, long windowBytes, LongSupplier millis) {
        this.server = server;
        this.self = self;
        this.peer = peer;
        this.windowBytes = windowBytes;
        this.millis = millis;
        this.executor = server.getExecutorFactory().getExecutor();
        this.context = server.getStorageManager().newContext(executor);
    }

    /** Returns this broker's name. */
    String self() {
        return self;
    }

    /** Takes messages from a queue from now on, whenever the link stands. */
    void add(Queue queue) throws Exception {
        LinkTap tap;
        synchronized (this) {
            held.remove(queue);
            if (taps.containsKey(queue)) {
                return;
            }
            tap = new LinkTap(this, queue, server.getStorageManager().generateID());
            taps.put(queue, tap);
            if (session == null) {
                return;
            }
        }
        queue.addConsumer(tap);
        queue.deliverAsync();
    }

    /** Leaves a queue; whatever of it is under way is still waited for. */
    void remove(Queue queue) {
        LinkTap tap;
        synchronized (this) {
            tap = taps.remove(queue);
            held.remove(queue);
            thirsty.remove(queue);
        }
        if (tap != null) {
            queue.removeConsumer(tap);
        }
    }

    /** Leaves a queue whose messages are not to be sent, unless that changes: they take room on the disk. */
    void hold(Queue queue) {
        remove(queue);
        synchronized (this) {
            held.add(queue);
        }
    }

    /** The link stands; messages go once those that the last one had under way are back in their queues. */
    void attach(LinkSession fresh) {
        synchronized (this) {
            session = fresh;
            sequence = 0;
        }
        executor.execute(() -> tapAll(fresh));
    }

    private void tapAll(LinkSession fresh) {
        Map<Queue, LinkTap> all;
        synchronized (this) {
            if (session != fresh) {
                return;
            }
            all = new HashMap<>(taps);
        }
        all.forEach((queue, tap) -> {
            try {
                queue.removeConsumer(tap);
                queue.addConsumer(tap);
                queue.deliverAsync();
            } catch (Exception e) {
                LOG.warn("link to {}: queue {} cannot be read: {}", peer, queue.getName(), e.toString());
            }
        });
    }

    /** The link is lost: what was under way waits for the next one. */
    void detach() {
        List<Sent> lost;
        Map<Queue, LinkTap> all;
        synchronized (this) {
            if (session == null) {
                return;
            }
            session = null;
            lost = new ArrayList<>(sent);
            sent.clear();
            sentBytes = 0;
            thirsty.clear();
            all = new HashMap<>(taps);
        }
        all.forEach(Queue::removeConsumer);
        executor.execute(() -> inContext(() -> giveBack(lost)));
    }

    /** Runs something off the caller's thread, once what the last link had under way is back in its queues. */
    void whenQuiet(Runnable task) {
        executor.execute(() -> inContext(task));
    }

    private void giveBack(List<Sent> lost) {
        Set<Queue> queues = new LinkedHashSet<>();
        for (int i = lost.size() - 1; i >= 0; i--) {
            MessageReference reference = lost.get(i).reference();
            try {
                reference.getQueue().cancel(reference, millis.getAsLong());
                queues.add(reference.getQueue());
            } catch (Exception e) {
                LOG.error("link to {}: a message could not be put back: {}", peer, e.toString());
            }
        }
        queues.forEach(Queue::deliverAsync);
    }

    /** Words have a little room beyond the rest: bodies may wait for space that only a word can make. Guarded by this. */
    private boolean isFull(Message message) {
        int share = Intake.isWord(message) ? WORD_SHARE : 0;
        return sentBytes >= windowBytes + windowBytes / 100 * share
                || sent.size() >= MOST_FRAMES + MOST_FRAMES / 100 * share;
    }

    /** Runs on a queue's thread, with the queue locked. */
    HandleStatus handle(MessageReference reference) {
        Message message = reference.getMessage();
        synchronized (this) {
            if (!taps.containsKey(reference.getQueue())) {
                return HandleStatus.BUSY; // a tap that was put back on a queue while that was left
            }
            LinkSession current = session;
            if (current == null || !current.isWritable() || isFull(message)) {
                thirsty.put(reference.getQueue(), (int) message.getPriority());
                return HandleStatus.BUSY;
            }
            String via = FrameProperties.via(message);
            if (FrameProperties.leadsOver(via, peer)) {
                reference.handled();
                executor.execute(() -> inContext(() -> acknowledge(reference)));
                return HandleStatus.HANDLED;
            }
            int bytes = message.getEncodeSize();
            ByteBuf frame;
            try {
                frame = LinkCodec.carried(
                        sequence + 1,
                        via + self + '/',
                        bytes,
                        out -> Forwards.asItCame(message).sendBuffer(out, 0),
                        PooledByteBufAllocator.DEFAULT);
            } catch (RuntimeException | OutOfMemoryError e) {
                LOG.warn("link to {}: a message waits, it cannot be written now: {}", peer, e.toString());
                thirsty.put(reference.getQueue(), (int) message.getPriority());
                server.getScheduledPool().schedule(this::writable, 1, TimeUnit.SECONDS);
                return HandleStatus.BUSY;
            }
            reference.handled();
            reference.incrementDeliveryCount();
            if (reference.getDeliveryCount() > 1) {
                resentFrames++;
            }
            sent.add(new Sent(++sequence, reference, bytes));
            sentBytes += bytes;
            current.write(frame);
        }
        return HandleStatus.HANDLED;
    }

    /** The neighbour has all messages up to this one. Called on the session's event loop. */
    void taken(LinkSession by, long upTo) {
        List<Sent> done = new ArrayList<>();
        NavigableMap<Integer, List<Queue>> wake;
        synchronized (this) {
            if (by != session) {
                return;
            }
            if (upTo > sequence) {
                by.abort("it has taken message " + upTo + " of " + sequence);
                return;
            }
            while (!sent.isEmpty() && sent.peekFirst().sequence() <= upTo) {
                Sent first = sent.removeFirst();
                done.add(first);
                sentBytes -= first.bytes();
                takenFrames++;
                takenBytes += first.bytes();
            }
            wake = takeThirsty();
        }
        executor.execute(() -> inContext(() -> done.forEach(each -> acknowledge(each.reference()))));
        wake(wake);
    }

    /** The session takes bytes again. */
    void writable() {
        NavigableMap<Integer, List<Queue>> wake;
        synchronized (this) {
            wake = takeThirsty();
        }
        wake(wake);
    }

    /** Returns them by the priority of what they have next. Guarded by this. */
    private NavigableMap<Integer, List<Queue>> takeThirsty() {
        NavigableMap<Integer, List<Queue>> wake = new TreeMap<>();
        thirsty.forEach((queue, priority) ->
                wake.computeIfAbsent(priority, none -> new ArrayList<>()).add(queue));
        thirsty.clear();
        return wake;
    }

    /** Lets queues deliver: those with the most urgent messages, and once these have had their turn the others. */
    private static void wake(NavigableMap<Integer, List<Queue>> queues) {
        Map.Entry<Integer, List<Queue>> first = queues.pollLastEntry();
        if (first == null) {
            return;
        }
        AtomicInteger left = new AtomicInteger(first.getValue().size());
        for (Queue queue : first.getValue()) {
            queue.deliverAsync();
            queue.getExecutor().execute(() -> {
                if (left.decrementAndGet() == 0) {
                    wake(queues);
                }
            });
        }
    }

    private void acknowledge(MessageReference reference) {
        try {
            reference.getQueue().acknowledge(reference);
        } catch (Exception e) {
            LOG.error("link to {}: a message could not be removed from its queue: {}", peer, e.toString());
        }
    }

    private void inContext(Runnable task) {
        StorageManager storage = server.getStorageManager();
        storage.setContext(context);
        try {
            task.run();
        } finally {
            storage.clearContext();
        }
    }

    /** What has gone out so far, what waits, and what is held. */
    record Figures(long frames, long bytes, long resentFrames, Waiting backlog, Waiting held) {}

    /** What is in queues. */
    record Waiting(long frames, long bytes) {
        private static Waiting in(List<Queue> queues) {
            return new Waiting(
                    queues.stream().mapToLong(Queue::getMessageCount).sum(),
                    queues.stream().mapToLong(Queue::getPersistentSize).sum());
        }
    }

    Figures figures() {
        List<Queue> open;
        List<Queue> shut;
        synchronized (this) {
            open = List.copyOf(taps.keySet());
            shut = List.copyOf(held);
        }
        Waiting backlog = Waiting.in(open);
        Waiting aside = Waiting.in(shut);
        synchronized (this) {
            return new Figures(takenFrames, takenBytes, resentFrames, backlog, aside);
        }
    }

    /** Returns what of this queue is under way, oldest first. */
    synchronized List<MessageReference> underWay(Queue queue) {
        return sent.stream()
                .map(Sent::reference)
                .filter(reference -> reference.getQueue() == queue)
                .toList();
    }

    /** Returns whether nothing from this queue is under way. */
    boolean isIdle(Queue queue) {
        return underWay(queue).isEmpty();
    }

    @Override
    public String toString() {
        return "link to " + Names.shown(peer);
    }
}
