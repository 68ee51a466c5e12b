package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.frame.Frame;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Merges what streams bring, gives it to the one reader, and says when to acknowledge; event loop only. */
final class Receiver {
    private static final long MOST_ACK_BYTES = 1024 * 1024;
    private static final int ACKS_IN_A_WINDOW = 8;

    private final Merger merger;
    private final PtcpListener listener;
    private boolean reading = true;
    private boolean delivering;
    private long acknowledged;
    private long announced;

    /** Takes the window, whether the user at the other end is known, and the reader. */
    Receiver(Window window, BooleanSupplier trusted, PtcpListener listener) {
        this.merger = new Merger(window, trusted);
        this.listener = listener;
        this.announced = window.limit();
    }

    /**
     * Takes what a stream brought and releases it; throws {@link PtcpException}: PROTOCOL when the stream is to blame,
     * ABORTED when the reader is.
     */
    void received(List<Fragment> batch) {
        int taken = 0;
        try {
            for (Fragment fragment : batch) {
                taken++;
                merger.offer(fragment.position(), fragment.bytes());
            }
        } finally {
            drop(batch.subList(taken, batch.size()));
            deliver();
        }
    }

    static void drop(List<Fragment> batch) {
        batch.forEach(fragment -> fragment.bytes().release());
    }

    /** Throws {@link PtcpException} ABORTED when the reader fails. */
    void setReading(boolean value) {
        reading = value;
        merger.setParked(!value);
        deliver();
    }

    /** The listener may stop reading while it is given something, or start again. */
    private void deliver() {
        if (delivering || !reading || merger.isEmpty()) {
            return;
        }
        delivering = true;
        try {
            ByteBuf bytes = merger.poll();
            while (bytes != null) {
                try {
                    listener.received(bytes);
                } finally {
                    bytes.release();
                }
                bytes = reading ? merger.poll() : null;
            }
            listener.batchEnded();
        } catch (RuntimeException | Error e) {
            // also when there is no memory: what it was given is not given again
            throw new PtcpException(PtcpException.Code.ABORTED, "the reader failed: " + e.getMessage(), e);
        } finally {
            delivering = false;
        }
    }

    /** Returns whether the other end should be told how far it is: at once. */
    boolean isAckUrgent() {
        long ackBytes = Math.min(MOST_ACK_BYTES, merger.windowBytes() / ACKS_IN_A_WINDOW);
        return merger.next() - acknowledged >= ackBytes || merger.granted() - announced >= ackBytes;
    }

    /** Returns whether there is anything new to tell. */
    boolean isAckDue() {
        return merger.next() > acknowledged || merger.granted() > announced;
    }

    Frame.Ack ack() {
        acknowledged = merger.next();
        announced = merger.granted();
        return new Frame.Ack(acknowledged, announced);
    }

    long next() {
        return merger.next();
    }

    long consumed() {
        return merger.consumed();
    }

    /** The other end needs so much less of what it may send, in total; throws {@link PtcpException} PROTOCOL. */
    void givenBack(long total) {
        merger.givenBack(total);
    }

    /** The stream ends there; throws {@link PtcpException} PROTOCOL when bytes beyond were received. */
    void endAt(long position) {
        merger.endAt(position);
    }

    void release() {
        merger.release();
    }
}
