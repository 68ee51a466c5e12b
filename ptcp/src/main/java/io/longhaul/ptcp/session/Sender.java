package io.longhaul.ptcp.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives packets to whichever stream can take them, so that a slow one gets fewer; event loop only.
 *
 * <p>A stream gets several packets in a row, which saves system calls; when none takes more, it waits for one to say so.
 */
final class Sender {
    private static final int BURST_BYTES = 256 * 1024;

    private final Splitter splitter;
    private final LongSupplier clock;
    private final List<DataChannel> channels = new ArrayList<>();
    private int turn;
    private int burstBytes;
    private boolean saturated;
    private boolean pumping;
    private boolean pumpAgain;
    private long resentBytes;

    Sender(Splitter splitter, LongSupplier clock) {
        this.splitter = splitter;
        this.clock = clock;
    }

    void add(DataChannel channel) {
        channels.add(channel);
    }

    /** Takes away a stream; what it carried goes out again with the next {@link #pump}. */
    void remove(DataChannel channel) {
        channels.remove(channel);
        resentBytes += splitter.lost(channel.number());
    }

    List<DataChannel> channels() {
        return channels;
    }

    /** Sends what can be sent now; may be called by what it causes, as a flush makes a stream writable. */
    void pump() {
        pumpAgain = true;
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (pumpAgain) {
                pumpAgain = false;
                if (splitter.hasNext()) {
                    sendOnce();
                }
            }
        } finally {
            pumping = false;
        }
    }

    private void sendOnce() {
        long nowNs = clock.getAsLong();
        List<DataChannel> touched = new ArrayList<>(channels.size());
        try {
            DataChannel channel = choose();
            while (channel != null) {
                Packet packet = splitter.take(channel.mostBytes());
                if (packet == null) {
                    break;
                }
                channel.send(packet, nowNs);
                burstBytes += packet.length();
                if (!touched.contains(channel)) {
                    touched.add(channel);
                }
                channel = choose();
            }
            saturated |= channel == null;
        } finally {
            for (DataChannel one : touched) {
                one.flush();
            }
        }
    }

    private @Nullable DataChannel choose() {
        for (int tried = 0; tried <= channels.size() && !channels.isEmpty(); tried++) {
            turn = turn % channels.size();
            DataChannel channel = channels.get(turn);
            if (burstBytes < BURST_BYTES && channel.takesPackets()) {
                return channel;
            }
            burstBytes = 0;
            turn++;
        }
        return null;
    }

    /** Returns whether the streams, not the writer, were the limit since the last call. */
    boolean wasSaturated() {
        boolean was = saturated;
        saturated = false;
        return was;
    }

    long resentBytes() {
        return resentBytes;
    }
}
