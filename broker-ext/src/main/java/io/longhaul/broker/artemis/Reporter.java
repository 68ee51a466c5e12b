package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.Interests;
import io.longhaul.broker.network.Reports;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.FrameCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Tells the network of this broker's links, and passes on what the others tell. Network's thread only. */
final class Reporter {
    /** How long a report counts. */
    static final long LIFE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(2);

    private final Network.Parts parts;
    private final Interests interests;
    private final Map<String, Neighbour> neighbours;
    private final Reports reports = new Reports(LIFE_NS);
    private long sequence;
    private long reportedNs;
    private volatile List<BrokerReport.LinkReport> links = List.of();

    Reporter(Network.Parts parts, Interests interests, Map<String, Neighbour> neighbours) {
        this.parts = parts;
        this.interests = interests;
        this.neighbours = neighbours;
    }

    /** Returns this broker's links as they were reported last. Any thread. */
    List<BrokerReport.LinkReport> links() {
        return links;
    }

    Reports reports() {
        return reports;
    }

    void tick(long nowNs) {
        if (nowNs - reportedNs >= REPORT_NS) {
            report();
        }
    }

    /** Tells everybody of this broker's links as they are now. */
    void report() {
        long now = parts.nanoTime().getAsLong();
        reportedNs = now;
        sequence = Math.max(sequence + 1, parts.millis().getAsLong());
        String self = parts.places().self();
        List<BrokerReport.LinkReport> ends = new ArrayList<>();
        neighbours.values().forEach(each -> ends.add(each.report(now)));
        BrokerReport own = new BrokerReport(self, sequence, parts.fanOut(), interests.subscriptionsHere(), ends);
        reports.take(own, now);
        links = own.links();
        flood(own, "");
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
        boolean news = !report.broker().equals(parts.places().self())
                && reports.take(report, parts.nanoTime().getAsLong());
        if (news) {
            flood(report, peer);
        }
        return news;
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
