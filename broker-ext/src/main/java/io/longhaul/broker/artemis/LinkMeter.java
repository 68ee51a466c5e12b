package io.longhaul.broker.artemis;

import io.longhaul.wire.BrokerReport;

/** How much goes over the link to one neighbour, and how fast. Network's thread only. */
final class LinkMeter {
    private long atNs;
    private long sentBytes;
    private long receivedBytes;
    private long sentPerSecond;
    private long receivedPerSecond;

    /** What is known of a link besides its figures. */
    record State(String peer, boolean up, boolean active, int streams) {}

    /** Returns what is told about a link; rates are those since the last time, at least a second ago. */
    BrokerReport.LinkReport report(State state, LinkOutlet.Figures out, LinkInlet.Lane in, long nowNs) {
        long inBytes = in.bytes.sum();
        double seconds = Math.max(1e-3, (nowNs - atNs) / 1e9);
        if (seconds >= 1) {
            sentPerSecond = (long) (Math.max(0, out.bytes() - sentBytes) / seconds);
            receivedPerSecond = (long) (Math.max(0, inBytes - receivedBytes) / seconds);
            atNs = nowNs;
            sentBytes = out.bytes();
            receivedBytes = inBytes;
        }
        return new BrokerReport.LinkReport(
                state.peer(),
                state.up(),
                state.active(),
                state.streams(),
                out.frames(),
                out.bytes(),
                out.resentFrames(),
                in.frames.sum(),
                inBytes,
                sentPerSecond,
                receivedPerSecond,
                out.backlogFrames(),
                out.backlogBytes());
    }
}
