package io.longhaul.gridftp.content;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageCodec;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.thread.Guarded;
import io.longhaul.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells others which ranges of contents are here, and sends what they pull.
 *
 * <p>Everything happens on one thread, which waits for the disk and for the post. What grows is told at once, then at
 * most every {@link #PAUSE}; what does not is told again after {@link #REPEAT}, and then ever more seldom, since
 * messages are lost. Peers are served in turn; pulls beyond {@value #MAX_PULLS} of one peer are dropped, and come
 * again.
 *
 * <p>What is small is first told of after a pause: it may be whole by then, and go to the peer without being pulled.
 */
public final class Holder {
    private static final Logger LOG = LoggerFactory.getLogger(Holder.class);
    private static final Duration PAUSE = Duration.ofMillis(30);
    private static final Duration REPEAT = Duration.ofSeconds(1);
    private static final Duration LONGEST_REPEAT = Duration.ofSeconds(30);
    private static final int MAX_PULLS = 1024;

    /** What is sent without being pulled: the round trips would take longer than the bytes. */
    public static final int PUSHED_BYTES = 64 * 1024;

    private final PostOffice office;
    private final ScheduledExecutorService thread;
    private final LongSupplier nanoTime;
    private final Map<Number128, Offer> offers = new HashMap<>(); // own thread only
    private final Map<String, Deque<Message.Pull>> pulls = new LinkedHashMap<>(); // by peer; own thread only
    private final Set<Message.Pull> waiting = new HashSet<>(); // what is in the queues; own thread only
    private final ByteBuffer frame = ByteBuffer.allocateDirect(
            MessageCodec.BLOCK_HEADER_BYTES + MessageCodec.MAX_BLOCK_BYTES); // own thread only
    private boolean sending; // own thread only

    /** Takes its own single thread, which the caller ends. */
    public Holder(PostOffice office, ScheduledExecutorService thread, LongSupplier nanoTime) {
        this.office = office;
        this.thread = thread;
        this.nanoTime = nanoTime;
        office.handTo(Set.of(MessageKind.PULL), (from, message) -> execute(() -> pulled(from, (Message.Pull) message)));
        office.onReconnect(() -> execute(() -> List.copyOf(offers.values()).forEach(this::tell)));
        thread.scheduleWithFixedDelay(
                () -> execute(this::tellAgain), REPEAT.toNanos(), REPEAT.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void execute(Runnable action) {
        try {
            thread.execute(Guarded.by(LOG, action));
        } catch (RejectedExecutionException e) {
            LOG.debug("not done any more: ending");
        }
    }

    /** A content that somebody wants. */
    private static final class Offer {
        private final Content content;
        private final String peer;
        private final AtomicBoolean scheduled = new AtomicBoolean();
        private final Runnable unlisten;
        private Object owner;
        private long toldNs;
        private long repeatNs = REPEAT.toNanos();
        private boolean hasTold; // of any bytes
        private boolean isPushed; // so that there is nothing to tell soon
        private int firstRange;

        Offer(Content content, String peer, Object owner, long nowNs, Consumer<Offer> grown) {
            this.content = content;
            this.peer = peer;
            this.owner = owner;
            this.toldNs = nowNs - PAUSE.toNanos();
            this.unlisten = content.onGrowth(() -> grown.accept(this));
        }
    }

    /** Begins to tell a peer of a content, again where it has been told before. Returns at once. */
    public void offer(Content content, String peer) {
        offer(content, peer, content);
    }

    /**
     * Begins to tell a peer of a content, again where it has been told before. Returns at once.
     *
     * @param owner who alone can withdraw it, until another one offers the content
     */
    public void offer(Content content, String peer, Object owner) {
        execute(() -> {
            Offer offer = offered(content, peer, owner);
            // who begins to pull asks what there is
            if (content.coveredBytes() > 0 || content.seal().isPresent()) {
                tell(offer);
            }
        });
    }

    private Offer offered(Content content, String peer, Object owner) {
        Offer offer = offers.get(content.id());
        if (offer == null || offer.content != content || !offer.peer.equals(peer)) {
            drop(content.id());
            content.pin();
            offer = new Offer(content, peer, owner, nanoTime.getAsLong(), this::grown);
            offers.put(content.id(), offer);
        }
        offer.owner = owner;
        return offer;
    }

    /**
     * Offers a content that the peer has nothing of, and sends it at once if it is small, whole, and the peer was told of no part of
     * it. Returns at once; done when something else may be said that comes behind it.
     *
     * @param owner who alone can withdraw it, until another one offers the content
     */
    public CompletableFuture<Void> push(Content content, String peer, Object owner) {
        CompletableFuture<Void> pushed = new CompletableFuture<>();
        execute(() -> {
            try {
                Offer offer = offered(content, peer, owner);
                if (!push(offer)) {
                    tell(offer);
                }
            } finally {
                pushed.complete(null);
            }
        });
        return pushed;
    }

    private boolean push(Offer offer) {
        long length = offer.content.coveredBytes();
        if (offer.hasTold || length == 0 || length > PUSHED_BYTES || !offer.content.isComplete()) {
            return false;
        }
        ByteRange whole = new ByteRange(0, length);
        if (!offer.content.contains(whole) || !record(offer)) {
            return false;
        }
        offer.toldNs = nanoTime.getAsLong();
        offer.hasTold = true;
        offer.isPushed = true;
        sendBlock(offer, whole);
        return true;
    }

    /** Ends telling and sending, unless another one has offered the content since. Returns at once. */
    public void withdraw(Number128 content, Object owner) {
        execute(() -> {
            Offer offer = offers.get(content);
            if (offer != null && offer.owner == owner) {
                drop(content);
            }
        });
    }

    /** Ends telling and sending, and says so to the one who was told. Returns at once. */
    public void retract(Number128 content) {
        execute(() -> {
            Offer offer = offers.get(content);
            if (offer != null) {
                drop(content);
                send(offer.peer, new Message.Unknown(content));
            }
        });
    }

    private void drop(Number128 content) {
        Offer offer = offers.remove(content);
        if (offer != null) {
            offer.unlisten.run();
            offer.content.unpin();
        }
    }

    /** On any thread. */
    private void grown(Offer offer) {
        if (offer.scheduled.compareAndSet(false, true)) {
            execute(() -> {
                offer.repeatNs = REPEAT.toNanos();
                long waitNs = waitNs(offer);
                if (waitNs == 0) {
                    tell(offer);
                } else {
                    thread.schedule(Guarded.by(LOG, () -> tellUnlessPushed(offer)), waitNs, TimeUnit.NANOSECONDS);
                }
            });
        }
    }

    private long waitNs(Offer offer) {
        if (!offer.hasTold && offer.content.coveredBytes() <= PUSHED_BYTES) {
            return PAUSE.toNanos();
        }
        // what is sealed does not grow any more, and somebody may be waiting for the end
        return offer.content.seal().isPresent()
                ? 0
                : Math.max(0, PAUSE.toNanos() - (nanoTime.getAsLong() - offer.toldNs));
    }

    private void tellUnlessPushed(Offer offer) {
        if (offer.isPushed) {
            offer.scheduled.set(false);
        } else {
            tell(offer);
        }
    }

    private void tellAgain() {
        long now = nanoTime.getAsLong();
        for (Offer offer : List.copyOf(offers.values())) {
            if (now - offer.toldNs >= offer.repeatNs) {
                offer.repeatNs = Math.min(LONGEST_REPEAT.toNanos(), 2 * offer.repeatNs);
                tell(offer);
            }
        }
    }

    private void tell(Offer offer) {
        offer.scheduled.set(false);
        if (offers.get(offer.content.id()) != offer) {
            return;
        }
        offer.toldNs = nanoTime.getAsLong();
        if (!record(offer)) {
            return;
        }
        List<ByteRange> ranges = offer.content.recorded().list();
        offer.hasTold |= !ranges.isEmpty();
        if (ranges.size() > MessageCodec.MAX_RANGES) {
            // a part at a time, going round
            int first = offer.firstRange < ranges.size() ? offer.firstRange : 0;
            int last = Math.min(ranges.size(), first + MessageCodec.MAX_RANGES);
            offer.firstRange = last;
            ranges = ranges.subList(first, last);
        }
        Optional<Seal> seal = offer.content.seal();
        send(
                offer.peer,
                new Message.Have(
                        offer.content.id(),
                        seal.map(Seal::length).orElse(-1L),
                        seal.map(Seal::checksum).orElse(0),
                        ranges));
    }

    /** What others have must not be forgotten here: other bytes might take its place. */
    private static boolean record(Offer offer) {
        try {
            offer.content.record();
            return true;
        } catch (StorageException e) {
            LOG.warn(
                    "content {}: growth is not told to endpoint {}: {}",
                    offer.content.id(),
                    offer.peer,
                    e.getMessage());
            return false;
        }
    }

    private void send(String peer, Message message) {
        try {
            office.send(peer, message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // as if it had been lost
            LOG.warn("message to endpoint {} not sent: {}", peer, e.getMessage());
        }
    }

    private void pulled(String from, Message.Pull pull) {
        Offer offer = offers.get(pull.content());
        if (pull.length() == 0 && offer != null && offer.peer.equals(from)) {
            tell(offer);
            return;
        }
        Deque<Message.Pull> queue = pulls.computeIfAbsent(from, peer -> new ArrayDeque<>());
        if (queue.size() < MAX_PULLS && waiting.add(pull)) {
            queue.add(pull);
        }
        if (!sending) {
            sending = true;
            execute(this::sendNext);
        }
    }

    /** Sends one block and comes back, so that what is urgent gets its turn in between. */
    private void sendNext() {
        if (pulls.isEmpty()) {
            sending = false;
            return;
        }
        Map.Entry<String, Deque<Message.Pull>> first =
                pulls.entrySet().iterator().next();
        String peer = first.getKey();
        Deque<Message.Pull> queue = first.getValue();
        pulls.remove(peer);
        Message.Pull pull = queue.remove();
        waiting.remove(pull);
        if (!queue.isEmpty()) {
            pulls.put(peer, queue);
        }
        execute(this::sendNext);
        sendBlock(peer, pull);
    }

    private void sendBlock(String peer, Message.Pull pull) {
        Offer offer = offers.get(pull.content());
        if (offer == null || !offer.peer.equals(peer)) {
            send(peer, new Message.Unknown(pull.content()));
            return;
        }
        ByteRange range = new ByteRange(pull.offset(), pull.offset() + pull.length());
        if (!offer.content.isRecorded(range)) {
            LOG.debug("content {}: endpoint {} pulls {}, which is not here", pull.content(), peer, range);
            return;
        }
        sendBlock(offer, range);
    }

    private void sendBlock(Offer offer, ByteRange range) {
        Content content = offer.content;
        int length = (int) range.length();
        try {
            int end = MessageCodec.BLOCK_HEADER_BYTES + length;
            frame.clear().position(MessageCodec.BLOCK_HEADER_BYTES).limit(end);
            content.read(range.start(), frame);
            boolean isZero = ZeroBytes.isAllZero(frame.position(MessageCodec.BLOCK_HEADER_BYTES));
            frame.limit(isZero ? MessageCodec.BLOCK_HEADER_BYTES : end);
            MessageCodec.frameBlock(content.id(), range.start(), length, frame);
            if (offer.isPushed) {
                office.pushBlock(offer.peer, frame);
            } else {
                office.sendBlock(offer.peer, frame);
            }
            content.served(length);
        } catch (RuntimeException e) {
            LOG.warn(
                    "content {}: {} cannot be sent to endpoint {}: {}",
                    content.id(),
                    range,
                    offer.peer,
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
