package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.Interests;
import io.longhaul.wire.BrokerReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One neighbour: its queues, its link while it stands, and what the two have told each other. Network's thread only.
 */
final class Neighbour {
    private static final int NAMES_AT_ONCE = 1000;

    private final String name;
    private final LinkQueues queues;
    private final LinkOutlet outlet;
    private final LinkInlet.Counters counters = new LinkInlet.Counters();
    private final Map<String, Queue> open = new HashMap<>(); // by address
    private final Set<Queue> draining = new HashSet<>();
    private final Set<String> shut = new HashSet<>(); // addresses of open queues that take nothing now
    private @Nullable Standing standing;
    private boolean active;
    private boolean fading; // idle, and not yet told so
    private Rates rates = new Rates(0, 0, 0, 0, 0);

    /** The link as it stands now. */
    private static final class Standing {
        final LinkSession session;
        final LinkInlet inlet;
        final LinkRights rights;
        Set<String> told = Set.of();
        long toldVersion;
        long firstVersion; // the last of those that told everything at first
        long knownVersion;
        boolean heard;
        long answeredVersion;

        Standing(LinkSession session, LinkInlet inlet, LinkRights rights) {
            this.session = session;
            this.inlet = inlet;
            this.rights = rights;
        }
    }

    private record Rates(long atNs, long sentBytes, long receivedBytes, long sentPerSecond, long receivedPerSecond) {}

    Neighbour(String name, LinkQueues queues, LinkOutlet outlet) {
        this.name = name;
        this.queues = queues;
        this.outlet = outlet;
    }

    String name() {
        return name;
    }

    LinkInlet.Counters counters() {
        return counters;
    }

    /** Finds the queues that are on disk; returns their addresses. */
    List<String> restore() throws Exception {
        List<String> addresses = queues.addresses();
        for (String address : addresses) {
            open(address);
        }
        outlet.add(queues.relay());
        return addresses;
    }

    void open(String address) throws Exception {
        Queue queue = queues.open(address);
        draining.remove(queue);
        open.put(address, queue);
        outlet.add(queue);
    }

    /** Nothing more goes in; what is in it still goes out. */
    void close(String address) throws Exception {
        shut.remove(address);
        Queue queue = open.remove(address);
        if (queue != null) {
            queues.shut(queue);
            draining.add(queue);
        }
    }

    /** Removes the queues that have run dry. */
    void sweep() throws Exception {
        for (Queue queue : List.copyOf(draining)) {
            if (queue.getMessageCount() == 0 && outlet.isIdle(queue)) {
                destroy(queue);
            }
        }
    }

    /** Removes a queue that nobody wants, with what is in it, unless it is wanted after all. */
    void unwanted(String address) throws Exception {
        for (Queue queue : List.copyOf(draining)) {
            if (queue.getAddress().toString().equals(address)) {
                destroy(queue);
            }
        }
    }

    private void destroy(Queue queue) throws Exception {
        draining.remove(queue);
        outlet.remove(queue);
        queues.destroy(queue);
    }

    /** While the neighbour is away, queues whose messages reach everybody another way take nothing more. */
    void shut(Predicate<String> covered) throws Exception {
        for (Map.Entry<String, Queue> each : open.entrySet()) {
            String address = each.getKey();
            if (standing == null && covered.test(address)) {
                queues.shut(each.getValue());
                shut.add(address);
            } else if (shut.remove(address)) {
                queues.open(address);
            }
        }
    }

    /** The link stands. */
    void attach(LinkSession session, LinkInlet inlet, LinkRights rights) {
        standing = new Standing(session, inlet, rights);
    }

    /** The link is lost. */
    void detach() {
        Standing last = standing;
        if (last != null) {
            standing = null;
            active = false;
            fading = false;
            last.inlet.end();
            outlet.detach();
        }
    }

    boolean isUp() {
        return standing != null;
    }

    boolean isOver(LinkSession session) {
        return standing != null && standing.session == session;
    }

    @Nullable
    LinkSession session() {
        return standing == null ? null : standing.session;
    }

    boolean isActive() {
        return active;
    }

    void setActive(boolean value) {
        active = value;
        fading = fading && !value;
    }

    /**
     * Returns whether the neighbour is to be told that nothing is wanted over this link any more, as soon as everybody
     * acts on what the other links were told; true once for each time.
     */
    boolean beginsToFade() {
        boolean begins = standing != null && !active && !fading && !standing.told.isEmpty();
        fading = fading || begins;
        return begins;
    }

    /** Nothing is wanted over this link any more, unless it carries files again. */
    void faded() {
        if (fading) {
            fading = false;
            tell(Set.of());
        }
    }

    LinkOutlet outlet() {
        return outlet;
    }

    /** Tells the neighbour what is wanted here; over an idle link nothing is, once it has faded. */
    void tell(Interests interests) {
        if (standing != null) {
            tell(active || fading ? interests.telling(name, standing.rights::mayKnow) : Set.of());
        }
    }

    /** Tells the neighbour what it has not been told. */
    private void tell(Set<String> all) {
        Standing now = standing;
        if (now == null) {
            return;
        }
        Set<String> added = new HashSet<>(all);
        added.removeAll(now.told);
        Set<String> removed = new HashSet<>(now.told);
        removed.removeAll(all);
        boolean first = now.toldVersion == 0;
        if (!first && added.isEmpty() && removed.isEmpty()) {
            return;
        }
        now.told = all;
        List<String> gone = new ArrayList<>(removed);
        List<String> fresh = new ArrayList<>(added);
        boolean complete = first;
        do {
            Set<String> goneNow = cut(gone);
            Set<String> freshNow = cut(fresh);
            now.session.send(new LinkFrame.Wants(++now.toldVersion, complete, goneNow, freshNow));
            complete = false;
        } while (!gone.isEmpty() || !fresh.isEmpty());
        if (first) {
            now.firstVersion = now.toldVersion;
        }
    }

    private static Set<String> cut(List<String> names) {
        List<String> part = names.subList(0, Math.min(NAMES_AT_ONCE, names.size()));
        Set<String> cut = Set.copyOf(part);
        part.clear();
        return cut;
    }

    /** Returns the names among these that the neighbour may claim. */
    Set<String> permitted(Set<String> names) {
        Standing now = standing;
        Set<String> permitted = new HashSet<>(names);
        permitted.removeIf(each -> now == null || !now.rights.mayKeep(each));
        return permitted;
    }

    /** The neighbour has said what it wants; from the first time on it takes messages. */
    void heard() throws Exception {
        if (standing != null && !standing.heard) {
            standing.heard = true;
            outlet.attach(standing.session);
        }
    }

    void known(long version) {
        if (standing != null) {
            standing.knownVersion = Math.max(standing.knownVersion, Math.min(version, standing.toldVersion));
        }
    }

    /** Returns the version of what the neighbour has been told; 0 while the link is down. */
    long toldVersion() {
        return standing == null ? 0 : standing.toldVersion;
    }

    /** Returns whether the neighbour, if its link carries files, acts on what it was told up to a version. */
    boolean isKnown(long version) {
        return standing == null || !active || standing.knownVersion >= version;
    }

    /** Returns whether the neighbour, if its link stands, acts on what it was told when that began to carry files. */
    boolean isGreeted() {
        return standing == null || standing.toldVersion > 0 && isKnown(standing.firstVersion);
    }

    /** Answers that everybody beyond this broker acts on what the neighbour said. */
    void answer(long version) {
        if (standing != null && standing.answeredVersion < version) {
            standing.answeredVersion = version;
            standing.session.send(new LinkFrame.Known(version));
        }
    }

    /** Returns what this broker tells about the link. */
    BrokerReport.LinkReport report(long nowNs) {
        LinkOutlet.Figures out = outlet.figures();
        long inBytes = counters.bytes.sum();
        double seconds = Math.max(1e-3, (nowNs - rates.atNs()) / 1e9);
        if (seconds >= 1) {
            rates = new Rates(
                    nowNs, out.bytes(), inBytes, (long) (Math.max(0, out.bytes() - rates.sentBytes()) / seconds), (long)
                            (Math.max(0, inBytes - rates.receivedBytes()) / seconds));
        }
        return new BrokerReport.LinkReport(
                name,
                isUp(),
                active,
                standing == null ? 0 : standing.session.streams(),
                out.frames(),
                out.bytes(),
                out.resentFrames(),
                counters.frames.sum(),
                inBytes,
                rates.sentPerSecond(),
                rates.receivedPerSecond(),
                out.backlogFrames(),
                out.backlogBytes());
    }
}
