package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.buffers.impl.ChannelBufferWrapper;
import org.apache.activemq.artemis.core.security.ActiveMQPrincipal;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.Connection;
import org.apache.activemq.artemis.spi.core.remoting.ReadyListener;
import org.jspecify.annotations.Nullable;

/**
 * A session as Artemis sees it.
 *
 * <p>Artemis writes from many threads and expects {@link #write} never to fail: what is written to a dead connection is
 * dropped, and the listener hears of the death.
 */
public final class PtcpConnection implements Connection {
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private final PtcpSession session;
    private final Map<String, Object> parameters;
    private final FrameGuard guard;
    private final Readiness readiness = new Readiness();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Ending ending;
    private volatile @Nullable RemotingConnection protocolConnection;

    /** What is to happen once when the connection ends. */
    @FunctionalInterface
    interface Ending {
        void ended(PtcpConnection connection, boolean failed, @Nullable PtcpException cause);
    }

    PtcpConnection(PtcpSession session, Map<String, Object> parameters, FrameGuard guard, Ending ending) {
        this.session = session;
        this.parameters = parameters;
        this.guard = guard;
        this.ending = ending;
    }

    /** Returns the listener that feeds Artemis; {@code opened} runs when the first stream stands. */
    PtcpListener listener(BufferHandler handler, Runnable opened) {
        FrameAssembler assembler = new FrameAssembler(PooledByteBufAllocator.DEFAULT, guard);
        return new PtcpListener() {
            @Override
            public void opened() {
                opened.run();
            }

            @Override
            public void received(ByteBuf bytes) {
                assembler.take(bytes, frame -> handler.bufferReceived(getID(), new ChannelBufferWrapper(frame)));
                if (guard.isTrusted()) {
                    session.trust();
                }
            }

            @Override
            public void batchEnded() {
                handler.endOfBatch(getID());
            }

            @Override
            public void writabilityChanged(boolean writable) {
                readiness.set(writable);
            }

            @Override
            public void closed(@Nullable PtcpException cause) {
                assembler.release();
                end(true, cause);
                readiness.set(true);
            }
        };
    }

    private void end(boolean failed, @Nullable PtcpException cause) {
        if (ended.compareAndSet(false, true)) {
            ending.ended(this, failed, cause);
        }
    }

    /** Tells guard and session that the user at the other end is known. */
    public void trust() {
        guard.trust();
        session.trust();
    }

    boolean isTrusted() {
        return guard.isTrusted();
    }

    /** Returns the session, for its counters. */
    public PtcpSession session() {
        return session;
    }

    @Override
    public ActiveMQBuffer createTransportBuffer(int size) {
        return new ChannelBufferWrapper(PooledByteBufAllocator.DEFAULT.directBuffer(size), true);
    }

    @Override
    public @Nullable RemotingConnection getProtocolConnection() {
        return protocolConnection;
    }

    @Override
    public void setProtocolConnection(RemotingConnection connection) {
        protocolConnection = connection;
    }

    @Override
    public boolean isWritable(ReadyListener listener) {
        // who writes serially waits below, and is never called back
        return guard.isSerial() || readiness.isReadyOrEnrol(listener);
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }

    /**
     * Who writes serially waits here for as long as it takes, and is told by an exception that the connection has ended:
     * Artemis's replication then completes what it could not write any more, and forgets it in every other case.
     */
    @Override
    public boolean blockUntilWritable(long timeout, TimeUnit unit) {
        boolean serial = guard.isSerial();
        long limitNs = serial ? Long.MAX_VALUE : unit.toNanos(timeout);
        long startNs = System.nanoTime();
        while (!session.isWritable() && session.isOpen() && System.nanoTime() - startNs < limitNs) {
            LockSupport.parkNanos(PARK_NS);
        }
        if (serial && !session.isOpen()) {
            throw new IllegalStateException(this + " has ended");
        }
        return session.isWritable();
    }

    @Override
    public void fireReady(boolean ready) {
        readiness.set(ready);
    }

    @Override
    public void setAutoRead(boolean autoRead) {
        session.setReading(autoRead);
    }

    @Override
    public Object getID() {
        return session.id();
    }

    @Override
    public EventLoop getEventLoop() {
        throw new UnsupportedOperationException(
                "a session has several sockets; only Netty's own protocols ask for a loop");
    }

    @Override
    public void write(ActiveMQBuffer buffer) {
        session.write(buffer.byteBuf());
    }

    @Override
    public void write(ActiveMQBuffer buffer, boolean requestFlush) {
        write(buffer);
    }

    @Override
    public void write(ActiveMQBuffer buffer, boolean flush, boolean batched) {
        write(buffer);
    }

    @Override
    public void write(
            ActiveMQBuffer buffer, boolean flush, boolean batched, @Nullable ChannelFutureListener futureListener) {
        write(buffer);
        if (futureListener != null) {
            try {
                futureListener.operationComplete(null);
            } catch (Exception e) {
                throw new IllegalStateException("a listener of a write failed", e);
            }
        }
    }

    @Override
    public void forceClose() {
        session.abort("closed by force");
        end(true, null);
    }

    @Override
    public void disconnect() {
        forceClose();
    }

    @Override
    public void close() {
        session.close();
        end(false, null);
    }

    @Override
    public String getRemoteAddress() {
        return address(session.remoteAddress().toString());
    }

    @Override
    public String getLocalAddress() {
        return "ptcp://" + address(session.localAddress().toString());
    }

    private static String address(String text) {
        return text.substring(text.indexOf('/') + 1);
    }

    @Override
    public void checkFlushBatchBuffer() {}

    @Override
    public TransportConfiguration getConnectorConfig() {
        return new TransportConfiguration(PtcpConnectorFactory.class.getName(), parameters);
    }

    @Override
    public boolean isDirectDeliver() {
        return false;
    }

    @Override
    public @Nullable ActiveMQPrincipal getDefaultActiveMQPrincipal() {
        return null;
    }

    /** No: there is no preamble, and nothing but the core protocol. */
    @Override
    public boolean isUsingProtocolHandling() {
        return false;
    }

    @Override
    public boolean isSameTarget(TransportConfiguration... configurations) {
        PtcpParameters own = PtcpParameters.of(parameters);
        for (TransportConfiguration configuration : configurations) {
            if (PtcpConnectorFactory.class.getName().equals(configuration.getFactoryClassName())
                    && own.isSameAddress(PtcpParameters.of(configuration.getParams()))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "PtcpConnection[" + getID() + " " + session.remoteAddress() + "]";
    }
}
