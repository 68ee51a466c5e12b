package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a subscription that does not take its pieces, or a site that is away, from filling the disk of all.
 *
 * <h2>Design</h2>
 * A backlog beyond the limit is not simply dropped: what was acknowledged is owed. So the keeper asks the topic's
 * holders to promise repairs of the transfers at the head of the queue, and removes only pieces that somebody has
 * promised, durably, to serve; manifests and seals stay, so that the subscriber knows on its return what to ask for.
 * Without a promise nothing goes, and it asks again, ever more seldom, and after a while about what lies behind that: who
 * holds nothing of a transfer, as nobody may any more, may hold the next ones.
 *
 * <p>A subscriber that takes pieces, only not as fast as they come, is let lag by {@value #GRACE} times the limit: to
 * have them repaired costs more than to keep them a little longer. {@link Pace} says who that is.
 *
 * <p>What waits for a link is owed to every subscription behind it, and goes only when it is promised to all of them.
 *
 * <p>A page file goes when nobody needs anything in it, and one manifest would keep it. What must stay is therefore moved aside
 * into a queue with small pages of its own ({@link ParkedFrames}), packed, and back when the subscriber consumes.
 *
 * <p>Asking is a message to the holders' address, answers come to {@code lh.broker.NAME}; a request's identity cannot be
 * guessed, and only who may consume the topic's holder address learns it. The keeper's thread does everything.
 */
final class BacklogKeeper {
    static final long PERIOD_MILLIS = 500;
    private static final Logger LOG = LoggerFactory.getLogger(BacklogKeeper.class);
    private static final long REST_NS = Duration.ofSeconds(30).toNanos(); // where much is read for the little behind it
    private static final int MOST_IN_BATCH = 500;
    private static final long BATCH_BYTES = 16L * 1024 * 1024;
    private static final int GRACE = 2;

    private final ActiveMQServer server;
    private final long limitBytes;
    private final Behind behind;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private final QuietLog log;
    private final NextTransfers next;
    private final ParkedFrames parked;
    private final String replyTo;
    private final Map<Owed, Backlog> backlogs = new HashMap<>(); // keeper's thread only
    private final Map<String, Pace> paces = new HashMap<>(); // keeper's thread only
    private final Set<String> nameless = new HashSet<>(); // keeper's thread only; queues of which it was said
    private final Drops drops = new Drops();

    /** What lies in a queue for one subscription; a link's queue has several behind it. */
    private record Owed(String queue, String subscription) {}

    /** The most bytes that one subscription may leave behind now, and why so many. */
    private record Allowance(long bytes, String why) {}

    BacklogKeeper(
            ActiveMQServer server,
            long limitBytes,
            Behind behind,
            LongSupplier nanoTime,
            RandomGenerator random,
            QuietLog log) {
        this.server = server;
        this.behind = behind;
        this.limitBytes = limitBytes;
        this.nanoTime = nanoTime;
        this.random = random;
        this.log = log;
        this.next = new NextTransfers(limitBytes);
        this.parked = new ParkedFrames(server);
        this.replyTo = Addresses.broker(server.getConfiguration().getName());
    }

    /** Looks at every subscription once. */
    void round() {
        if (!server.isActive() || server.getPostOffice() == null) {
            return;
        }
        List<Queue> queues = queues(name -> isSubscription(name) || isOfLink(name));
        safely(replyTo, this::takeGrants);
        queues.forEach(queue -> safely(queue.getName().toString(), () -> examine(queue)));
        Set<String> names = new HashSet<>();
        queues.forEach(queue -> names.add(queue.getName().toString()));
        backlogs.keySet().removeIf(owed -> !names.contains(owed.queue()));
        next.retain(names);
        paces.keySet().retainAll(names);
        nameless.retainAll(names);
        drops.retain(names);
        safely(ParkedFrames.PREFIX + "*", () -> parked.retain(names));
        behind.retain(queue -> server.locateQueue(SimpleString.of(queue)) != null);
    }

    /** What fails with one queue must not let the backlogs of others grow. */
    private void safely(String queue, NetworkThread.Task task) {
        try {
            task.run();
        } catch (Exception | Error e) {
            if (server.isStarted()) { // or the queue is being closed
                log.warn("backlog " + queue, queue + ": its backlog could not be looked at: " + e);
            }
        }
    }

    /** Returns the queues of all subscriptions. */
    List<Queue> subscriptions() {
        return queues(BacklogKeeper::isSubscription);
    }

    private List<Queue> queues(Predicate<String> wanted) {
        return LocalQueues.of(server)
                .filter(queue -> wanted.test(queue.getName().toString()))
                .toList();
    }

    private static boolean isSubscription(String queue) {
        try {
            return queue.startsWith(Addresses.SUBSCRIPTION_PREFIX)
                    && !Addresses.topicOf(queue).isEmpty()
                    && !Addresses.subscriptionOf(queue).isEmpty();
        } catch (WireException e) {
            return false;
        }
    }

    private static boolean isOfLink(String queue) {
        return queue.startsWith(Addresses.LINK_PREFIX) && queue.contains("@" + Addresses.TOPIC_PREFIX);
    }

    private static String topic(Queue queue) {
        return queue.getAddress().toString().substring(Addresses.TOPIC_PREFIX.length());
    }

    /** Returns all subscriptions that what lies in a queue is owed to. */
    private List<Owed> owed(Queue queue) {
        String name = queue.getName().toString();
        List<String> subscriptions =
                isSubscription(name) ? List.of(Addresses.subscriptionOf(name)) : behind.subscriptions(name);
        return subscriptions.stream().map(each -> new Owed(name, each)).toList();
    }

    /** Returns what was dropped. Any thread. */
    Drops drops() {
        return drops;
    }

    private void takeGrants() throws Exception {
        for (String name : List.of(Addresses.BROKER, replyTo)) {
            Queue queue = server.locateQueue(SimpleString.of(name));
            if (queue != null && queue.getMessageCount() > 0) {
                queue.deleteMatchingReferences(MOST_IN_BATCH, new Choice(this::takeGrant), AckReason.NORMAL);
            }
        }
    }

    private boolean takeGrant(Message message) {
        try {
            Frame frame = FrameProperties.decode(message);
            if (frame instanceof LeaseGrant grant) {
                backlogs.values().forEach(backlog -> backlog.granted(grant, nanoTime.getAsLong()));
            }
        } catch (WireException e) {
            LOG.warn("{}: a frame that is no lease grant was thrown away: {}", replyTo, e.getMessage());
        }
        return true;
    }

    private void examine(Queue queue) throws Exception {
        String name = queue.getName().toString();
        long now = nanoTime.getAsLong();
        Allowance allowance = allowance(queue, now);
        if (queue.getPersistentSize() <= allowance.bytes()) {
            backlogs.keySet().removeIf(owed -> owed.queue().equals(name));
            nameless.remove(name);
            if (queue.getConsumerCount() > 0) {
                parked.giveBack(queue, allowance.bytes() / 2 - queue.getPersistentSize());
            }
            return;
        }
        List<Owed> all = owed(queue);
        if (all.isEmpty()) {
            tellNameless(queue, allowance);
            return;
        }
        nameless.remove(name);
        List<Backlog> due = new ArrayList<>();
        for (Owed owed : all) {
            Backlog backlog = backlogs.computeIfAbsent(owed, o -> new Backlog());
            due.add(backlog);
            if (!backlog.isSettled(now) && backlog.isDue(now)) {
                ask(queue, owed.subscription(), backlog, now);
            }
        }
        if (due.stream().allMatch(backlog -> backlog.isSettled(now))) {
            drop(queue, due, allowance);
        } else if (due.stream().anyMatch(backlog -> backlog.isInVain(now))) {
            passOver(name, due, now);
        } else if (due.stream().anyMatch(backlog -> backlog.isToTell(now))) {
            LOG.warn(
                    "{}: backlog of {} bytes exceeds its limit of {} bytes ({}); no holder has promised repairs, so"
                            + " nothing is dropped",
                    name,
                    queue.getPersistentSize(),
                    allowance.bytes(),
                    allowance.why());
        }
    }

    private void tellNameless(Queue queue, Allowance allowance) {
        if (nameless.add(queue.getName().toString())) {
            LOG.warn(
                    "{}: backlog of {} bytes exceeds its limit of {} bytes ({}); not all subscriptions behind the link are"
                            + " known, so nothing is dropped",
                    queue.getName(),
                    queue.getPersistentSize(),
                    allowance.bytes(),
                    allowance.why());
        }
    }

    private Allowance allowance(Queue queue, long now) {
        Pace.Sight sight =
                new Pace.Sight(queue.getMessagesAcknowledged(), queue.getMessageCount(), queue.getConsumerCount() > 0);
        Pace pace = paces.computeIfAbsent(queue.getName().toString(), name -> new Pace(sight, now));
        return pace.isMoving(sight, now)
                ? new Allowance(GRACE * limitBytes, GRACE + " times the configured one, since it takes frames")
                : new Allowance(limitBytes, "the configured one, since it takes nothing");
    }

    private void ask(Queue queue, String subscription, Backlog backlog, long now) throws Exception {
        if (backlog.transfers().isEmpty()) {
            backlog.transfers(next.of(queue, now), now);
        }
        if (backlog.transfers().isEmpty()) {
            return;
        }
        String request = backlog.asked(this::newRequest, now);
        LeaseRequest frame = new LeaseRequest(request, topic(queue), subscription, backlog.transfers(), replyTo);
        server.getPostOffice()
                .route(
                        FrameProperties.passing(
                                server.getStorageManager().generateID(), Addresses.holders(frame.topic()), frame),
                        false);
    }

    private String newRequest() {
        byte[] id = new byte[16];
        random.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /** What nobody promises makes way, in the next questions, for what lies behind it. */
    private void passOver(String queue, List<Backlog> all, long now) {
        Set<String> promised = promisedToAll(all).keySet();
        for (Backlog each : all) {
            next.passOver(
                    queue,
                    each.transfers().stream()
                            .filter(transfer -> !promised.contains(transfer.toString()))
                            .toList(),
                    now);
            each.startOver();
        }
    }

    private void drop(Queue queue, List<Backlog> all, Allowance allowance) throws Exception {
        Map<String, Long> through = promisedToAll(all);
        String name = queue.getName().toString();
        long size = queue.getPersistentSize();
        long[] pieces = new long[2]; // how many, and their bytes
        String holders = all.stream().map(Backlog::holders).distinct().collect(Collectors.joining(", "));
        int gone = 0;
        try {
            Set<Long> aside = parked.copy(queue, through.keySet(), next.mostBytes());
            gone = queue.deleteMatchingReferences(
                    batch(queue),
                    new Choice(
                            message -> aside.contains(message.getMessageID()) || isPromised(message, through, pieces)),
                    AckReason.KILLED);
        } finally {
            long now = nanoTime.getAsLong();
            // what fails, or removes nothing as a consumer has it, must not be copied again and again
            long rest = gone == 0 || next.isPassingOver(name) ? REST_NS : 0;
            all.forEach(backlog -> backlog.removed(now, rest));
        }
        if (pieces[0] == 0) {
            return;
        }
        drops.add(name, new Drops.Count(pieces[0], pieces[1]));
        LOG.info(
                "{}: backlog of {} bytes exceeded its limit of {} bytes ({}); dropped {} pieces with {} bytes of {}"
                        + " transfers, which {} will repair",
                name,
                size,
                allowance.bytes(),
                allowance.why(),
                pieces[0],
                pieces[1],
                through.size(),
                holders);
    }

    /** Only what is promised to every subscription that it is owed to may go. */
    private static Map<String, Long> promisedToAll(List<Backlog> all) {
        Map<String, Long> through = new HashMap<>(all.get(0).through());
        for (Backlog other : all.subList(1, all.size())) {
            Map<String, Long> theirs = other.through();
            through.keySet().retainAll(theirs.keySet());
            through.replaceAll((transfer, index) -> Math.min(index, theirs.getOrDefault(transfer, 0L)));
        }
        return through;
    }

    /** The server holds the bodies of what it removes until a batch is committed. */
    private static int batch(Queue queue) {
        long average = queue.getPersistentSize() / Math.max(1, queue.getMessageCount()) + 1;
        return (int) Math.max(4, Math.min(MOST_IN_BATCH, BATCH_BYTES / average));
    }

    private static boolean isPromised(Message message, Map<String, Long> through, long[] pieces) {
        if (!FrameProperties.isPiece(message)) {
            return false;
        }
        long covered = FrameProperties.transfer(message).map(through::get).orElse(0L);
        if (FrameProperties.index(message) >= covered) {
            return false;
        }
        pieces[0]++;
        pieces[1] += message.toCore().getReadOnlyBodyBuffer().readableBytes();
        return true;
    }
}
