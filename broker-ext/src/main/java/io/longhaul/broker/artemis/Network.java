package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.Interests;
import io.longhaul.broker.network.Reports;
import io.longhaul.broker.network.SpanningTree;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.Names;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
    private static final long TICK_MILLIS = 100;
    private static final long NOTE_MILLIS = 1000;
    private static final long WINDOW_BYTES = 32L * 1024 * 1024;
    /** That one neighbour may want; as many again while others take their place, which come before they go. */
    private static final int MOST_NAMES = 100_000;

    private final Parts parts;
    private final Interests interests = new Interests();
    private final Map<String, Neighbour> neighbours = new TreeMap<>();
    private final Promises promises;
    private final Admission admission;
    private final Removal removal;
    private final Reporter reporter;
    private final NetworkThread thread;
    private boolean stale; // whether a report has come since the tree was chosen

    /**
     * What the network is made of.
     *
     * @param fanOut most links that should carry files at the same time; 0 for any number
     * @param known what others know of
     */
    record Parts(
            ActiveMQServer server,
            LinkInlet.Places places,
            int fanOut,
            Known known,
            LongSupplier nanoTime,
            LongSupplier millis) {}

    Network(Parts parts, ScheduledExecutorService thread) {
        this.parts = parts;
        this.thread = new NetworkThread(thread);
        this.promises = new Promises(parts.places().self(), neighbours, parts.known());
        this.removal = new Removal(parts.places().self(), neighbours, this);
        this.admission = new Admission(parts.places().self(), neighbours, removal);
        this.reporter = new Reporter(parts, interests, neighbours);
    }

    private String self() {
        return parts.places().self();
    }

    /** Reads what is kept from the server, which has been loaded, and begins; on the thread. */
    void start() throws Exception {
        parts.known().load();
        for (String peer : LinkQueues.peers(parts.server())) {
            neighbour(peer);
        }
        for (String queue : LinkQueues.names(parts.server(), "")) {
            if (isKept(queue)) {
                interests.keep(queue);
                parts.known().restore(queue);
            }
        }
        thread.begin();
        thread.every(TICK_MILLIS, "tick", this::tick);
        thread.every(NOTE_MILLIS, "note", parts.known()::keep);
    }

    /** Runs something on the network's thread, once it has begun; never blocks. */
    void execute(String what, NetworkThread.Task task) {
        thread.execute(what, task);
    }

    /** Returns a neighbour, new ones with the queues that are on disk for them. */
    private Neighbour neighbour(String peer) throws Exception {
        Neighbour known = neighbours.get(peer);
        if (known == null) {
            LinkQueues queues = new LinkQueues(parts.server(), peer);
            known = new Neighbour(
                    peer,
                    queues,
                    new LinkOutlet(parts.server(), self(), peer, WINDOW_BYTES, parts.millis()),
                    new LinkInlet.Lane(parts.server()));
            neighbours.put(peer, known);
            for (String address : known.outgoing().restore()) {
                interests.owe(peer, address, queues.wantedBefore(address));
                parts.places().behind().restore(queues, address);
            }
        }
        return known;
    }

    static boolean isKept(String queue) {
        return Addresses.isQueue(queue) && (!queue.equals(Addresses.addressOf(queue)) || Addresses.isPersonal(queue));
    }

    private void tick() throws Exception {
        long now = parts.nanoTime().getAsLong();
        for (Neighbour each : neighbours.values()) {
            each.outgoing().sweep(now, () -> reporter.reports().haveBacklog(this::isUp, self()));
            each.expectJudgement(now, Reporter.LIFE_NS);
            each.expectRights();
        }
        reporter.tick(now);
        if (reporter.reports().expire(now) || stale) {
            choose();
        }
    }

    private boolean isUp(String peer) {
        return is(peer, Neighbour::isUp);
    }

    /** Returns whether there is a neighbour of this name that is so. */
    private boolean is(String peer, Predicate<Neighbour> so) {
        Neighbour known = neighbours.get(peer);
        return known != null && so.test(known);
    }

    private void lead(Set<String> queues) {
        Routes routes = parts.places().routes();
        queues.forEach(queue -> routes.set(queue, interests.wayTo(queue, this::isUp)));
    }

    // --- what is kept here

    void kept(String queue) {
        execute("queue " + queue, () -> {
            interests.keep(queue);
            lead(Set.of(queue));
            tellAll();
            if (queue.startsWith(Addresses.SUBSCRIPTION_PREFIX)) {
                promises.subscribed(queue);
            }
        });
    }

    void dropped(String queue) {
        execute("queue " + queue, () -> {
            if (parts.server().locateQueue(queue) == null) { // or its agent, back again, has made it anew meanwhile
                interests.drop(queue);
                parts.known().drop(queue);
                lead(Set.of(queue));
                tellAll();
            }
        });
    }

    private void tellAll() {
        neighbours.values().forEach(each -> each.tell(interests, this::isUp));
    }

    /** Returns who does not yet act on the subscriptions to a topic that were made here; empty when all do. */
    String unknownTo(String topic) {
        return promises.unknownTo(topic);
    }

    List<String> subscriptions(String topic) {
        return interests.subscriptions(topic);
    }

    /** Returns what is waited for until all subscriptions to a topic are known; empty when they are. */
    String unknownBehind(String topic) {
        List<String> links = interests.unheard(Addresses.topic(topic)).stream()
                .map(peer -> is(peer, Neighbour::hasSpoken) ? "a link beyond " + peer : "the link to " + peer)
                .toList();
        return links.isEmpty()
                ? ""
                : "broker " + self() + " waits for " + String.join(" and ", links)
                        + ", to know who subscribes to topic " + topic;
    }

    Reporter reporter() {
        return reporter;
    }

    // --- links

    /** Returns why a link to this peer must not stand; empty when it may, in place of one that does. */
    Optional<LinkFrame.Refused> objection(String peer, boolean opener, LinkRights rights) throws Exception {
        return admission.objection(peer, opener, rights);
    }

    /** Returns whether a link to this peer that this broker opened stands. */
    boolean hasOpened(String peer) {
        return is(peer, Neighbour::hasOpened);
    }

    /** Takes a neighbour out for good, as an operator asks; the answer comes on this thread. */
    CompletableFuture<RemovalAnswer> remove(RemovalRequest request) throws Exception {
        return removal.of(request);
    }

    /** What lay behind a neighbour that is no more is no longer wanted. */
    void forget(String peer) throws Exception {
        Set<String> names = interests.forget(peer);
        lead(names);
        reporter.report();
        choose();
    }

    /** Takes back a neighbour that was forgotten, if there are queues for it. */
    void restore(String peer) throws Exception {
        if (LinkQueues.peers(parts.server()).contains(peer)) {
            neighbour(peer);
            reporter.report();
            choose();
        }
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
        neighbour.ownedBy(rights.user());
        LinkInlet inlet = new LinkInlet(parts.places(), peer, session, rights, neighbour.lane());
        neighbour.attach(session, inlet, rights, parts.nanoTime().getAsLong());
        return new Ends(inlet, neighbour.outlet());
    }

    /** Begins to talk over the link to a peer. */
    void begin(String peer, LinkSession session) throws Exception {
        LOG.info("link to {} stands ({}{})", peer, session.isOpener() ? "to " : "from ", session);
        lead(interests.names(peer));
        reporter.report();
        reporter.tellAll(session);
        choose();
    }

    void ended(String peer, LinkSession session, String why) throws Exception {
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour == null || !neighbour.isOver(session)) {
            return;
        }
        neighbour.detach();
        LOG.info("link to {} is lost: {}", peer, Names.shown(why));
        lead(interests.names(peer));
        reporter.report();
        choose();
    }

    /** Gives up all links, for good, and hears of no more; ends when what was on its way over them is where it belongs. */
    CompletableFuture<Void> leave() {
        thread.end();
        return CompletableFuture.allOf(
                neighbours.values().stream().map(Neighbour::leave).toArray(CompletableFuture<?>[]::new));
    }

    void wants(String peer, LinkSession session, LinkFrame.Wants wants) throws Exception {
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour == null || !neighbour.isOver(session) || !neighbour.expectRights()) {
            return;
        }
        Set<String> added = neighbour.permitted(wants.added(), parts.places().log());
        int before = neighbour.hasSpoken() ? interests.names(peer).size() : neighbour.gathered();
        if (wants.complete() && neighbour.hasSpoken() || before + added.size() > 2 * MOST_NAMES) {
            session.abort("wants that break a rule");
        } else if (neighbour.hasSpoken()) {
            wants(neighbour, false, wants.removed(), added);
        } else {
            Optional<Set<String>> all = neighbour.gather(added, wants.complete());
            if (all.isPresent()) {
                wants(neighbour, true, Set.of(), all.get());
                neighbour.heard();
            }
        }
        if (neighbour.hasSpoken()) {
            cover();
            tellAll();
            promises.make(peer, "", () -> neighbour.answer(session, wants.version()));
        }
    }

    private void wants(Neighbour neighbour, boolean complete, Set<String> removed, Set<String> added) throws Exception {
        String peer = neighbour.name();
        Interests.Change change = interests.heard(peer, complete, removed, added);
        // all of them at first: a queue may have failed to open when the neighbour was here before
        for (String address : complete ? interests.wanted(peer) : change.wanted()) {
            if (Addresses.isShared(address)) {
                neighbour.outgoing().open(address);
            }
        }
        lead(change.names());
        Map<String, List<String>> behind = topicsOf(change.names(), interests.wanted(peer)).stream()
                .collect(Collectors.toMap(topic -> topic, topic -> interests.subscriptionsBehind(peer, topic)));
        parts.places().behind().put(new LinkQueues(parts.server(), peer), behind);
        cover(); // before these close, or for a moment no queue would take a message
        for (String address : change.unwanted()) {
            neighbour.outgoing().close(address, reporter.drain());
        }
    }

    /** Leaves those out that are no longer wanted: what waits for them is owed to the same subscriptions as before. */
    private static Set<String> topicsOf(Set<String> queues, Set<String> wanted) {
        return queues.stream()
                .map(Addresses::addressOf)
                .filter(address -> address.startsWith(Addresses.TOPIC_PREFIX) && wanted.contains(address))
                .map(address -> address.substring(Addresses.TOPIC_PREFIX.length()))
                .collect(Collectors.toSet());
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
        if (neighbour != null && !interests.isWanted(address)) {
            neighbour.outgoing().unwanted(address);
        }
    }

    // --- reports and the tree

    void reported(String peer, BrokerReport report) {
        stale |= reporter.take(peer, report);
    }

    /**
     * Decides which links carry files. A link is used only once the neighbour has told of its own. One that stands and is
     * the only way to its neighbour goes on to be used, also when a report is late. One that is no longer needed goes on
     * until everybody acts on what the others were told, so that there is no moment in which nobody wants a message.
     */
    private void choose() throws Exception {
        stale = false;
        Set<SpanningTree.Edge> standing = reporter.reports().standing();
        Set<SpanningTree.Edge> active = reporter.reports().active(standing);
        Set<String> reachable = Reports.reachable(self(), active);
        for (Neighbour each : neighbours.values()) {
            SpanningTree.Edge edge = new SpanningTree.Edge(self(), each.name());
            boolean onlyWay = each.isActive() && !reachable.contains(each.name());
            if (each.isUp() && (standing.contains(edge) || each.isActive())) {
                each.judge(active.contains(edge) || onlyWay);
            }
        }
        Map<String, Runnable> fading = new TreeMap<>();
        neighbours.values().forEach(each -> each.beginToFade().ifPresent(then -> fading.put(each.name(), then)));
        tellAll();
        fading.forEach((peer, then) -> promises.make(peer, "", then));
        promises.keep();
        cover();
    }

    /** What a neighbour wanted before its link came counts for nothing here: it may no longer be the way. */
    private void cover() throws Exception {
        Map<Set<String>, Set<String>> near = new HashMap<>(); // by those who cover
        for (Neighbour each : neighbours.values()) {
            each.outgoing()
                    .cover(address -> each.isUp()
                            ? Optional.empty()
                            : interests
                                    .covering(each.name(), address, other -> is(other, Neighbour::isWay))
                                    .map(by -> near.computeIfAbsent(
                                            by, others -> reporter.reports().near(self(), others))));
        }
    }
}
