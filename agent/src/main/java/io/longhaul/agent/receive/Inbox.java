package io.longhaul.agent.receive;

import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one subscription has been given of the agent's inbox and has not taken up.
 *
 * <p>Whoever gives serves other subscriptions, too. So a full inbox is waited for, since what is dropped crosses the
 * network once more, but not for long, and not again before its reader has moved: what is lost is asked for again. One
 * thread puts, another takes.
 */
final class Inbox {
    private final BlockingQueue<Frame> frames;
    private final Duration patience;
    private boolean stalled; // the putting thread's only

    /** Takes how many frames may wait, and how long to wait for a reader that does not move. */
    Inbox(int mostFrames, Duration patience) {
        this.frames = new LinkedBlockingQueue<>(mostFrames);
        this.patience = patience;
    }

    /** Puts a frame, with bytes of its own; drops it when there is no room in time. */
    void put(Frame frame) throws InterruptedException {
        if (stalled && frames.remainingCapacity() == 0) {
            return;
        }
        stalled = !frames.offer(kept(frame), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Frame kept(Frame frame) {
        if (frame instanceof Piece piece) {
            ByteBuffer body = ByteBuffer.allocate(piece.body().remaining());
            body.put(piece.body().duplicate()).flip();
            return new Piece(piece.header(), body);
        }
        return frame;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    /** Returns the oldest frame, which stays; null when there is none. */
    @Nullable
    Frame peek() {
        return frames.peek();
    }

    /** Removes the oldest frame. */
    void remove() {
        frames.remove();
    }
}
