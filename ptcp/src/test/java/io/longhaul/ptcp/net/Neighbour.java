package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A session that behaves: sends all the time to an acceptor that echoes, and compares every byte. */
final class Neighbour implements PtcpListener {
    private static final int CHUNK = 32 * 1024;
    private static final int MOST_UNDERWAY = 1024 * 1024;
    private static final int EVERY_MILLIS = 2;
    private final PtcpSession session;
    private final ScheduledExecutorService timers;
    private final AtomicReference<@Nullable String> harm = new AtomicReference<>();
    private volatile @Nullable ScheduledFuture<?> writes;
    private volatile boolean paused;
    private volatile long written;
    private volatile long echoed; // written on the event loop

    Neighbour(PtcpSession session, ScheduledExecutorService timers) {
        this.session = session;
        this.timers = timers;
    }

    @Override
    public void opened() {
        writes = timers.scheduleAtFixedRate(this::write, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static byte at(long position) {
        return (byte) (position * 0x9E3779B97F4A7C15L >>> 56);
    }

    private synchronized void write() {
        if (paused || written - echoed > MOST_UNDERWAY) {
            return;
        }
        byte[] chunk = new byte[CHUNK];
        for (int i = 0; i < CHUNK; i++) {
            chunk[i] = at(written + i);
        }
        written += CHUNK;
        session.write(Unpooled.wrappedBuffer(chunk));
    }

    @Override
    public void received(ByteBuf bytes) {
        long position = echoed;
        while (bytes.isReadable()) {
            byte found = bytes.readByte();
            if (found != at(position)) {
                harm.compareAndSet(null, "at " + position + ": expected " + at(position) + ", found " + found);
            }
            position++;
        }
        echoed = position;
    }

    @Override
    public void writabilityChanged(boolean writable) {}

    @Override
    public void closed(@Nullable PtcpException cause) {
        harm.compareAndSet(null, "ended: " + cause);
    }

    PtcpSession session() {
        return session;
    }

    /** Checks that bytes go there and back at this moment. */
    void assertUnharmed() {
        long underway = written;
        Patience.await().until(() -> harm.get() != null || echoed >= underway + CHUNK);
        assertThat(harm.get()).isNull();
    }

    /** Sends no more until {@link #goOn}, and waits until nothing is underway. */
    void pause() {
        synchronized (this) {
            paused = true; // no write is half done
        }
        Patience.await().until(() -> harm.get() != null || echoed == written);
    }

    void goOn() {
        paused = false;
    }

    void stop() {
        writes.cancel(false);
        session.close();
    }
}
