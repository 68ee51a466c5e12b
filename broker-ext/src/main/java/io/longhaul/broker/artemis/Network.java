package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.Interests;
import io.longhaul.broker.network.Reports;
import io.longhaul.broker.network.SpanningTree;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This broker's place in the network: its neighbours, what they want, and who is to be told of what is wanted here.
 *
 * <h2>Design</h2>
 * All of it happens on one thread; messages do not pass here, they go from queues to {@link LinkOutlet}s and from
 * {@link LinkInlet}s to queues by themselves. A queue for a neighbour is on disk before anybody else is told that what
 * it takes is wanted, so that no link of the chain is missing when the first message comes.
 */
final class Network {
    private static final Logger LOG = LoggerFactory.getLogger(Network.class);
    private static final long TICK_MILLIS = 250;
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long LIFE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long WINDOW_BYTES = 32L * 1024 * 1024;

    private final Parts parts;
    private final Interests interests = new Interests();
    private final Reports reports = new Reports(LIFE_NS);
    private final Map<String, Neighbour> neighbours = new TreeMap<>();
    private final Promises promises = new Promises(neighbours);
    private final ScheduledExecutorService thread;
    private long sequence;
    private long reportedNs;
    private volatile List<BrokerReport.LinkReport> links = List.of();

    /**
     * What the network is made of.
     *
     * @param fanOut most links that should carry files at the same time; 0 for any number
     * @param configured number of links that this broker opens by itself
     */
    record Parts(
            ActiveMQServer server,
            LinkInlet.Places places,
            int fanOut,
            int configured,
            LongSupplier nanoTime,
            LongSupplier millis) {}

    Network(Parts parts, ScheduledExecutorService thread) {
        this.parts = parts;
        this.thread = thread;
    }

    private String self() {
        return parts.places().self();
    }

    private Routes routes() {
        return parts.places().routes();
    }

    /** Reads what is kept from the server, which has been loaded, and begins. */
    void start() throws Exception {
        for (String peer : LinkQueues.peers(parts.server())) {
            neighbour(peer);
        }
        parts.server().getPostOffice().getAllBindings().forEach(binding -> {
            if (binding instanceof QueueBinding) {
                String queue = binding.getUniqueName().toString();
                if (isKept(queue)) {
                    interests.keep(queue);
                }
            }
        });
        thread.scheduleWithFixedDelay(() -> safely("tick", this::tick), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** What may fail on the network's thread. */
    interface Task {
        void run() throws Exception;
    }

    /** Runs something on the network's thread; never blocks. */
    void execute(String what, Task task) {
        try {
            thread.execute(() -> safely(what, task));
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the broker is closing", what);
        }
    }

    private static void safely(String what, Task task) {
        try {
            task.run();
        } catch (Exception e) {
            LOG.warn("network: {} failed: {}", what, e.toString());
            LOG.debug("network: {}", what, e);
        }
    }

    /** Returns a neighbour, new ones with the queues that are on disk for them. */
    private Neighbour neighbour(String peer) throws Exception {
        Neighbour known = neighbours.get(peer);
        if (known == null) {
            known = new Neighbour(
                    peer,
                    new LinkQueues(parts.server(), peer),
                    new LinkOutlet(parts.server(), self(), peer, WINDOW_BYTES, parts.millis()));
            neighbours.put(peer, known);
            for (String address : known.restore()) {
                interests.owe(peer, address);
            }
        }
        return known;
    }

    static boolean isKept(String queue) {
        try {
            return !queue.equals(Addresses.addressOf(queue)) || Addresses.isPersonal(queue);
        } catch (WireException e) {
            return false;
        }
    }

    private void tick() throws Exception {
        long now = parts.nanoTime().getAsLong();
        for (Neighbour each : neighbours.values()) {
            each.sweep();
        }
        if (now - reportedNs >= REPORT_NS) {
            report();
        }
        if (reports.expire(now)) {
            choose();
        }
    }

    // --- what is kept here

    void kept(String queue) {
        execute("queue " + queue, () -> {
            interests.keep(queue);
            tellAll();
            if (queue.startsWith(Addresses.SUBSCRIPTION_PREFIX)) {
                promises.make("", Addresses.topicOf(queue), () -> {});
            }
        });
    }

    void dropped(String queue) {
        execute("queue " + queue, () -> {
            interests.drop(queue);
            tellAll();
        });
    }

    private void tellAll() {
        neighbours.values().forEach(each -> each.tell(interests));
    }

    /** Returns who does not yet act on the subscriptions to a topic that were made here; empty when all do. */
    String unknownTo(String topic) {
        if (parts.configured() > 0 && neighbours.values().stream().noneMatch(Neighbour::isUp)) {
            return "no link of broker " + self() + " stands";
        }
        Set<String> late = promises.unaware(topic);
        neighbours.values().forEach(each -> {
            if (!each.isGreeted()) {
                late.add(each.name());
            }
        });
        return late.isEmpty() ? "" : "broker " + String.join(", ", late) + " does not know of it yet";
    }

    List<String> subscriptions(String topic) {
        return interests.subscriptions(topic);
    }

    /** Returns the links as they were reported last. Any thread. */
    List<BrokerReport.LinkReport> links() {
        return links;
    }

    List<BrokerReport> reports() {
        return reports.all();
    }

    // --- links

    /** Returns why a link to this peer must not stand besides the one that does; empty when it may. */
    Optional<String> objection(String peer, boolean opener) {
        Neighbour known = neighbours.get(peer);
        LinkSession before = known == null ? null : known.session();
        if (before == null || !before.isOpen() || before.isOpener() == opener) {
            return Optional.empty();
        }
        boolean mineWins = self().compareTo(peer) < 0;
        return opener == mineWins
                ? Optional.empty()
                : Optional.of("there is a link between " + self() + " and " + peer + " that the other side opened");
    }

    /** Where the messages of a link go and come from. */
    record Ends(LinkInlet inlet, LinkOutlet outlet) {}

    /** Makes a session the link to a peer, in place of an earlier one. */
    Ends attach(String peer, LinkSession session, LinkRights rights) throws Exception {
        Neighbour neighbour = neighbour(peer);
        LinkSession before = neighbour.session();
        neighbour.detach();
        if (before != null) {
            before.abort("a newer link has come");
        }
        LinkInlet inlet = new LinkInlet(parts.places(), peer, session, rights, neighbour.counters());
        neighbour.attach(session, inlet, rights);
        LOG.info("link to {} stands ({}{})", peer, session.isOpener() ? "to " : "from ", session);
        report();
        for (BrokerReport each : reports.all()) {
            if (!each.broker().equals(self())) {
                session.send(new LinkFrame.Report(FrameCodec.toJson(each)));
            }
        }
        choose();
        return new Ends(inlet, neighbour.outlet());
    }

    void ended(String peer, LinkSession session, String why) throws Exception {
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour == null || !neighbour.isOver(session)) {
            return;
        }
        neighbour.detach();
        LOG.info("link to {} is lost: {}", peer, Names.shown(why));
        report();
        choose();
        promises.keep();
    }

    void wants(String peer, LinkSession session, LinkFrame.Wants wants) throws Exception {
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour == null || !neighbour.isOver(session)) {
            return;
        }
        Set<String> added = neighbour.permitted(wants.added());
        if (wants.complete()) {
            routes().forget(peer);
        }
        Interests.Change change = interests.heard(peer, wants.complete(), wants.removed(), added);
        for (String address : change.wanted()) {
            if (Addresses.isShared(address)) {
                neighbour.open(address);
            }
        }
        wants.removed().forEach(queue -> routes().remove(queue, peer));
        added.forEach(queue -> routes().put(queue, peer));
        topicsOf(wants)
                .forEach(topic -> parts.places().behind().put(peer, topic, interests.subscriptionsBehind(peer, topic)));
        for (String address : change.unwanted()) {
            neighbour.close(address);
        }
        neighbour.heard();
        shut();
        tellAll();
        promises.make(peer, "", () -> neighbour.answer(wants.version()));
    }

    private static Set<String> topicsOf(LinkFrame.Wants wants) {
        Set<String> topics = new HashSet<>();
        for (Set<String> names : List.of(wants.removed(), wants.added())) {
            names.stream()
                    .filter(queue -> queue.startsWith(Addresses.SUBSCRIPTION_PREFIX))
                    .forEach(queue -> topics.add(Addresses.topicOf(queue)));
        }
        return topics;
    }

    void known(String peer, LinkSession session, long version) {
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour != null && neighbour.isOver(session)) {
            neighbour.known(version);
            promises.keep();
        }
    }

    void unwanted(String peer, String address) throws Exception {
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour != null) {
            neighbour.unwanted(address);
        }
    }

    // --- reports and the tree

    private void report() {
        long now = parts.nanoTime().getAsLong();
        reportedNs = now;
        sequence = Math.max(sequence + 1, parts.millis().getAsLong());
        List<BrokerReport.LinkReport> ends = new ArrayList<>();
        neighbours.values().forEach(each -> ends.add(each.report(now)));
        BrokerReport own = new BrokerReport(self(), sequence, parts.fanOut(), interests.subscriptionsHere(), ends);
        reports.take(own, now);
        links = own.links();
        flood(own, "");
    }

    private void flood(BrokerReport report, String except) {
        byte[] json = FrameCodec.toJson(report);
        neighbours.values().forEach(each -> {
            LinkSession session = each.session();
            if (session != null && !each.name().equals(except)) {
                session.send(new LinkFrame.Report(json));
            }
        });
    }

    void reported(String peer, BrokerReport report) throws Exception {
        if (report.broker().equals(self())) {
            return;
        }
        if (reports.take(report, parts.nanoTime().getAsLong())) {
            flood(report, peer);
            choose();
        }
    }

    /**
     * Decides which links carry files. A link is used only once the neighbour has told of its own. One that stands and is
     * the only way to its neighbour goes on to be used, also when a report is late. One that is no longer needed goes on
     * until everybody acts on what the others were told, so that there is no moment in which nobody wants a message.
     */
    private void choose() throws Exception {
        Set<SpanningTree.Edge> standing = reports.standing();
        Set<SpanningTree.Edge> active = reports.active();
        Set<String> reachable = Reports.reachable(self(), active);
        List<Neighbour> greeted = new ArrayList<>();
        for (Neighbour each : neighbours.values()) {
            SpanningTree.Edge edge = new SpanningTree.Edge(self(), each.name());
            boolean onlyWay = each.isActive() && !reachable.contains(each.name());
            each.setActive(each.isUp() && (active.contains(edge) || onlyWay));
            if (each.isActive() || each.isUp() && standing.contains(edge)) {
                greeted.add(each);
            }
        }
        List<Neighbour> fading =
                greeted.stream().filter(Neighbour::beginsToFade).toList();
        greeted.forEach(each -> each.tell(interests));
        fading.forEach(each -> promises.make(each.name(), "", each::faded));
        shut();
    }

    private void shut() throws Exception {
        for (Neighbour each : neighbours.values()) {
            each.shut(address -> interests.isCovered(
                    each.name(),
                    address,
                    other -> neighbours.containsKey(other)
                            && neighbours.get(other).isActive()));
        }
    }
}
