package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpListener;
import io.netty.buffer.ByteBuf;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What writers gave and no packet holds yet, and whether that is too much; thread-safe where it says so.
 *
 * <p>The mark changes on the event loop only, so that nobody hears "no more" after a newer "go on".
 */
final class WriteQueue {
    private static final long HIGH_WATER_BYTES = 4L * 1024 * 1024;
    private static final long LOW_WATER_BYTES = 1024 * 1024;

    private final Splitter splitter;
    private final PtcpListener listener;
    private final Queue<ByteBuf> given = new ConcurrentLinkedQueue<>();
    private final AtomicLong pendingBytes = new AtomicLong();
    private final AtomicBoolean collecting = new AtomicBoolean();
    private volatile boolean writable = true; // written on the event loop

    WriteQueue(Splitter splitter, PtcpListener listener) {
        this.splitter = splitter;
        this.listener = listener;
    }

    /** Takes ownership of bytes; returns whether {@link #collect} must be called now. Any thread. */
    boolean add(ByteBuf bytes) {
        pendingBytes.addAndGet(bytes.readableBytes());
        given.add(bytes);
        return collecting.compareAndSet(false, true);
    }

    /** Gives everything to the splitter, or drops it. */
    void collect(boolean drop) {
        collecting.set(false);
        ByteBuf bytes = given.poll();
        while (bytes != null) {
            if (drop) {
                pendingBytes.addAndGet(-bytes.readableBytes());
                bytes.release();
            } else {
                splitter.add(bytes);
            }
            bytes = given.poll();
        }
    }

    /** Sends what can be sent, and tells the listener when that changes whether more is welcome. */
    void pump(Sender sender) {
        long before = splitter.queuedBytes();
        try {
            sender.pump();
        } finally {
            // also when there was no memory for the rest
            long pending = pendingBytes.addAndGet(splitter.queuedBytes() - before);
            if (writable ? pending > HIGH_WATER_BYTES : pending < LOW_WATER_BYTES) {
                writable = !writable;
                listener.writabilityChanged(writable);
            }
        }
    }

    /** Any thread. */
    boolean isWritable() {
        return writable;
    }
}
