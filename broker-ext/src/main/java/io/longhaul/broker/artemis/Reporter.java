package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.Interests;
import io.longhaul.broker.network.Reports;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.FrameCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells the network of this broker's links, and passes on what the others tell. Network's thread only. */
final class Reporter {
    /** How long a report counts. */
    static final long LIFE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MOST_TOLD = 100;

    /** Kind of a failure: there is another link. */
    private static final String LINKED = "linked";

    private static final String SAME_NAME = "same-name";

    /** In place of a link's label, none of which is empty. */
    private static final String TWIN = "";

    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(2);

    private final Network.Parts parts;
    private final Interests interests;
    private final Map<String, Neighbour> neighbours;
    private final Reports reports = new Reports(LIFE_NS);
    private final Drains drains = new Drains();
    private long sequence;
    private long reportedNs;
    private boolean due; // whether there is something that everybody is to hear soon
    private final Deque<Long> told = new ArrayDeque<>(); // numbers of this broker's last reports, oldest first
    private final Map<String, BrokerReport.FailingLink> failing = new TreeMap<>();
    private volatile BrokerReport own;
    private @Nullable Twin twin;

    /** Another broker of this one's name, as long as others tell of it. */
    private record Twin(long sinceNs, long lastNs) {}

    Reporter(Network.Parts parts, Interests interests, Map<String, Neighbour> neighbours) {
        this.parts = parts;
        this.interests = interests;
        this.neighbours = neighbours;
        this.own = new BrokerReport(parts.places().self(), 0, parts.fanOut(), 0, List.of(), List.of());
    }

    /** Returns what was reported last. Any thread. */
    BrokerReport own() {
        return own;
    }

    /**
     * A link that this broker is told to open does not stand, and why. Where both sides open one, that of one side is
     * refused for ever, and all is well.
     */
    void fails(BrokerReport.FailingLink link) {
        if (link.kind().equals(LINKED) && neighbours.values().stream().anyMatch(Neighbour::isUp)) {
            failing.remove(link.to());
        } else {
            failing.put(link.to(), link);
        }
    }

    /** A link that this broker is told to open stands. */
    void opened(String to) {
        failing.remove(to);
    }

    Reports reports() {
        return reports;
    }

    /** Returns what is known of queues that run dry. Any thread. */
    Drains drains() {
        return drains;
    }

    /** Returns what a queue that runs dry from now on is known by; everybody hears of it soon. */
    long drain() {
        due = true;
        return next();
    }

    private long next() {
        sequence = Math.max(sequence + 1, parts.millis().getAsLong());
        return sequence;
    }

    void tick(long nowNs) {
        if (due || nowNs - reportedNs >= REPORT_NS) {
            report();
        }
        drains.set(reports.all());
    }

    /** Tells everybody of this broker's links as they are now. */
    void report() {
        long now = parts.nanoTime().getAsLong();
        reportedNs = now;
        due = false;
        next();
        Twin known = twin;
        if (known != null && now - known.lastNs() > LIFE_NS) {
            failing.remove(TWIN);
        }
        String self = parts.places().self();
        List<BrokerReport.LinkReport> ends = new ArrayList<>();
        neighbours.values().forEach(each -> ends.add(each.report(now)));
        BrokerReport fresh = new BrokerReport(
                self,
                sequence,
                parts.fanOut(),
                interests.subscriptionsHere(),
                ends,
                List.copyOf(failing.values()),
                neighbours.values().stream()
                        .mapToLong(each -> each.outgoing().drains())
                        .max()
                        .orElse(0),
                parts.places().intake().order());
        own = fresh;
        told.add(sequence);
        if (told.size() > MOST_TOLD) {
            told.remove();
        }
        reports.take(fresh, now);
        flood(fresh, "");
    }

    /** Tells a new neighbour what is known of all others. */
    void tellAll(LinkSession session) {
        for (BrokerReport each : reports.all()) {
            if (!each.broker().equals(parts.places().self())) {
                session.send(new LinkFrame.Report(FrameCodec.toJson(each)));
            }
        }
    }

    /** Takes what a neighbour passed on; returns whether it was news. */
    boolean take(String peer, BrokerReport report) {
        if (report.broker().equals(parts.places().self())) {
            checkOwn(peer, report.sequence());
            return false;
        }
        boolean news = reports.take(report, parts.nanoTime().getAsLong());
        if (news) {
            flood(report, peer);
            observe(report);
        }
        return news;
    }

    /** A disk that is full must not keep the tree from being chosen anew. */
    private void observe(BrokerReport report) {
        try {
            parts.places().intake().observe(report.order());
        } catch (RuntimeException e) {
            parts.places()
                    .log()
                    .warn("order", "the order that broker " + report.broker() + " tells of is not noted: " + e);
        }
    }

    /**
     * No message goes to a broker of a name that it has passed, so what one of two publishes never reaches the other one. What
     * is left of an earlier life of this broker, or of the other one of its pair, is told for no longer than a report counts.
     */
    private void checkOwn(String peer, long number) {
        sequence = Math.max(sequence, number); // or nobody would hear the next one, where the clock was set back since
        Long oldest = told.peek();
        if (oldest == null || number <= oldest || told.contains(number)) {
            return;
        }
        long now = parts.nanoTime().getAsLong();
        Twin before = twin;
        long since = before == null || now - before.lastNs() > LIFE_NS ? now : before.sinceNs();
        twin = new Twin(since, now);
        if (now - since > LIFE_NS) {
            String why = "another broker of the network has the name "
                    + parts.places().self()
                    + ", and nothing goes from one to the other; expected a name of its own for each";
            parts.places().log().warn("own-name", "link with " + peer + ": " + why);
            failing.put(TWIN, new BrokerReport.FailingLink(peer, SAME_NAME, why));
        }
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
}
