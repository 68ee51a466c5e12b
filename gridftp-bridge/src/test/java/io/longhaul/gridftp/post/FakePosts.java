package io.longhaul.gridftp.post;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory that loses, repeats, delays and disorders messages as its seed has it. With a {@link FakeScheduler}
 * everything happens on the test's thread; with a real one on its threads. Thread-safe.
 */
public final class FakePosts {
    private final ScheduledExecutorService scheduler;
    private final Random random;
    private final Faults faults;
    private final Map<String, FakePost> posts = new HashMap<>(); // guarded by this
    private final Map<MessageKind, Long> sent = new HashMap<>(); // messages by kind; guarded by this
    private long blockBytes; // guarded by this
    private boolean cut; // guarded by this

    /**
     * What goes wrong.
     *
     * @param loss share of messages that never come
     * @param repeats share of messages that come twice
     * @param leastDelay that every message takes
     * @param mostDelay each takes a random time between; a later one may come earlier
     */
    public record Faults(double loss, double repeats, Duration leastDelay, Duration mostDelay) {
        /** Nothing goes wrong. */
        public static final Faults NONE = new Faults(0, 0, Duration.ZERO, Duration.ZERO);

        /** Much goes wrong. */
        public static final Faults MANY = new Faults(0.05, 0.05, Duration.ofMillis(1), Duration.ofMillis(60));
    }

    public FakePosts(ScheduledExecutorService scheduler, long seed, Faults faults) {
        this.scheduler = scheduler;
        this.random = new Random(seed);
        this.faults = faults;
    }

    private final class FakePost implements Post {
        private final String name;
        private @Nullable Listener listener; // guarded by the network

        FakePost(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void send(String to, Urgency urgency, ByteBuffer message) {
            if (message.remaining() > MAX_MESSAGE_BYTES) {
                throw new IllegalArgumentException(
                        "message: expected at most " + MAX_MESSAGE_BYTES + " bytes, found " + message.remaining());
            }
            FakePosts.this.send(this, to, message);
        }

        @Override
        public void listen(Listener taker) {
            synchronized (FakePosts.this) {
                listener = taker;
            }
        }

        @Override
        public void close() {
            synchronized (FakePosts.this) {
                listener = null;
                posts.remove(name, this);
            }
        }
    }

    /** Returns the post of an endpoint; one of the same name that was there hears nothing any more. */
    public synchronized Post post(String name) {
        FakePost before = posts.get(name);
        if (before != null) {
            before.close();
        }
        FakePost post = new FakePost(name);
        posts.put(name, post);
        return post;
    }

    /** Loses every message from now on, or no more than usual; all endpoints learn when they are connected again. */
    public void cut(boolean wanted) {
        synchronized (this) {
            cut = wanted;
            if (wanted) {
                return;
            }
            posts.values()
                    .forEach(post -> scheduler.execute(() -> {
                        Post.Listener listener = listener(post);
                        if (listener != null) {
                            listener.reconnected();
                        }
                    }));
        }
    }

    /** Returns how many messages of a kind were sent. */
    public synchronized long sent(MessageKind kind) {
        return sent.getOrDefault(kind, 0L);
    }

    /** Returns how many bytes of contents were sent. */
    public synchronized long blockBytes() {
        return blockBytes;
    }

    private synchronized Post.@Nullable Listener listener(FakePost post) {
        return posts.get(post.name) == post ? post.listener : null;
    }

    private synchronized void send(FakePost from, String to, ByteBuffer message) {
        if (posts.get(from.name) != from) {
            // of a process that was killed
            return;
        }
        Message decoded = MessageCodec.decode(message);
        sent.merge(decoded.kind(), 1L, Long::sum);
        if (decoded instanceof Message.Block block) {
            blockBytes += block.bytes().remaining();
        }
        int copies = random.nextDouble() < faults.loss ? 0 : random.nextDouble() < faults.repeats ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            byte[] bytes = new byte[message.remaining()];
            message.duplicate().get(bytes);
            long range = faults.mostDelay.minus(faults.leastDelay).toNanos();
            long delay = faults.leastDelay.toNanos() + (range > 0 ? random.nextLong(range) : 0);
            scheduler.schedule(() -> deliver(from.name, to, ByteBuffer.wrap(bytes)), delay, TimeUnit.NANOSECONDS);
        }
    }

    private void deliver(String from, String to, ByteBuffer message) {
        Post.Listener listener;
        synchronized (this) {
            FakePost post = posts.get(to);
            listener = cut || post == null ? null : post.listener;
        }
        if (listener != null) {
            listener.received(from, message);
        }
    }
}
