package io.longhaul.broker.metrics;

import io.longhaul.broker.BrokerSnapshot.LinkSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/** The meters of single links, for every broker that there has been a link to until it is taken out. Not thread-safe. */
final class LinkMeters {
    private static final String BYTES = "bytes";

    private final SeriesSet<LinkSnapshot> shown;

    LinkMeters(MeterRegistry registry) {
        shown = new SeriesSet<>(registry, "longhaul.link.", each -> Tags.of("peer", each.peer()), LinkMeters::register);
    }

    /** Makes the meters tell of these links and of no others. */
    void show(List<LinkSnapshot> all) {
        shown.show(all);
    }

    private static void register(SeriesSet.Series<LinkSnapshot> link) {
        link.gauge("up", null, each -> each.up() ? 1 : 0, "1 while the link to the other broker stands, else 0");
        link.gauge(
                "active",
                null,
                each -> each.active() ? 1 : 0,
                "1 while the link carries files, 0 while it is down or waits for another one to fail");
        link.gauge(
                "backlog.frames",
                null,
                LinkSnapshot::backlogFrames,
                "Frames that wait for the link or for the other broker's word that it has them");
        link.gauge("backlog", BYTES, LinkSnapshot::backlogBytes, "Bytes of those frames");
        link.gauge(
                "held.frames",
                null,
                LinkSnapshot::heldFrames,
                "Frames that wait and are not sent, because the other broker's account may not have them any more");
        link.gauge("held", BYTES, LinkSnapshot::heldBytes, "Bytes of those frames");
        link.counter(
                "dropped.pieces",
                null,
                LinkSnapshot::droppedPieces,
                "Pieces dropped before the link because holders have promised to repair them");
        link.counter("dropped", BYTES, LinkSnapshot::droppedBytes, "Bytes of those pieces");
        link.counter("sent.frames", null, LinkSnapshot::sentFrames, "Frames that the other broker has taken");
        link.counter("sent", BYTES, LinkSnapshot::sentBytes, "Bytes of those frames");
        link.counter(
                "resent.frames",
                null,
                LinkSnapshot::resentFrames,
                "Frames sent more than once, because the link was lost before they were taken");
        link.counter("received.frames", null, LinkSnapshot::receivedFrames, "Frames taken from the other broker");
        link.counter("received", BYTES, LinkSnapshot::receivedBytes, "Bytes of those frames");
    }
}
