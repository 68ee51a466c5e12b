package io.longhaul.broker.artemis;

import io.longhaul.wire.BrokerReport;

/** How much goes over the link to one neighbour, and how fast. Network's thread only. */
final class LinkMeter {
    private boolean begun;
    private long atNs;
    private long sentBytes;
    private long receivedBytes;
    private long sentPerSecond;
    private long receivedPerSecond;

    /** What is known of a link besides its figures. */
    record State(String peer, boolean up, boolean active, int streams, long silentMillis) {}

    /** Returns what is told about a link; rates are those since the last time, at least a second ago. */
    BrokerReport.LinkReport report(State state, LinkOutlet.Figures out, LinkInlet.Figures in, long nowNs) {
        double seconds = (nowNs - atNs) / 1e9;
        if (!begun) {
            begun = true;
            begin(out, in, nowNs);
        } else if (seconds >= 1) {
            sentPerSecond = (long) (Math.max(0, out.bytes() - sentBytes) / seconds);
            receivedPerSecond = (long) (Math.max(0, in.bytes() - receivedBytes) / seconds);
            begin(out, in, nowNs);
        }
        return new BrokerReport.LinkReport(
                state.peer(),
                state.up(),
                state.active(),
                state.streams(),
                out.frames(),
                out.bytes(),
                out.resentFrames(),
                in.frames(),
                in.bytes(),
                sentPerSecond,
                receivedPerSecond,
                out.backlog().frames(),
                out.backlog().bytes(),
                out.held().frames(),
                out.held().bytes(),
                state.silentMillis());
    }

    private void begin(LinkOutlet.Figures out, LinkInlet.Figures in, long nowNs) {
        atNs = nowNs;
        sentBytes = out.bytes();
        receivedBytes = in.bytes();
    }
}
