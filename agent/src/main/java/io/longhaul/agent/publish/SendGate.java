package io.longhaul.agent.publish;

/**
 * Keeps what all publications together have in flight within the link's window, so that a publication waits here,
 * where it can be stopped, rather than inside the link; may be used from any thread.
 */
final class SendGate {
    /** What a frame takes beside its body. */
    static final int FRAME_BYTES = 1024;

    private final long windowBytes;
    private long usedBytes; // guarded by this

    SendGate(long windowBytes) {
        this.windowBytes = windowBytes;
    }

    /** Waits for room; a frame that is larger than the window goes alone. */
    synchronized void enter(int bytes, Halt halt) throws InterruptedException {
        while (usedBytes > 0 && usedBytes + bytes > windowBytes) {
            halt.await(this);
        }
        halt.check();
        usedBytes += bytes;
    }

    synchronized void leave(int bytes) {
        usedBytes -= bytes;
        notifyAll();
    }
}
