package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.proxy.HttpProxyException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.ClientConnectionLifeCycleListener;
import org.apache.activemq.artemis.spi.core.remoting.ClientProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Connection;
import org.apache.activemq.artemis.spi.core.remoting.Connector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections of Artemis clients, bridges and clusters over parallel TCP. Thread-safe. */
final class PtcpConnector implements Connector {
    private static final Logger LOG = LoggerFactory.getLogger(PtcpConnector.class);
    private static final int MOST_FRAME_BYTES = 128 * 1024 * 1024;
    private static final int THREADS = 1;
    private static final long SAY_EVERY_NS = TimeUnit.SECONDS.toNanos(10);
    private static final AtomicLong SAID_NS = new AtomicLong();
    private final Map<String, Object> configuration;
    private final PtcpParameters parameters;
    private final BufferHandler handler;
    private final ClientConnectionLifeCycleListener listener;
    private final ClientProtocolManager protocol;
    private final Executor names; // where names are looked up, which blocks
    private @Nullable PtcpClient client; // guarded by this

    PtcpConnector(
            Map<String, Object> configuration,
            BufferHandler handler,
            ClientConnectionLifeCycleListener listener,
            ClientProtocolManager protocol,
            Executor names) {
        this.names = names;
        this.configuration = Map.copyOf(configuration);
        this.parameters = PtcpParameters.of(configuration);
        this.handler = handler;
        this.listener = listener;
        this.protocol = protocol;
    }

    @Override
    public synchronized void start() {
        if (client == null) {
            client = PtcpClient.launch("ptcp-client", THREADS);
        }
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }

    @Override
    public synchronized boolean isStarted() {
        return client != null;
    }

    private synchronized @Nullable PtcpClient client() {
        return client;
    }

    /** Artemis makes a connector for each connection; where it is not to connect again it leaves that of a lost one as it is. */
    private synchronized void end(PtcpClient opener) {
        if (client == opener) {
            close();
        }
    }

    /** Returns an open connection, or null when there is none to be had, as Artemis expects. */
    @Override
    public @Nullable Connection createConnection() {
        PtcpClient opener = client();
        if (opener == null) {
            return null;
        }
        CompletableFuture<PtcpConnection> made = new CompletableFuture<>();
        CompletableFuture<PtcpSession> opened = new CompletableFuture<>();
        try {
            PtcpConfig config = parameters.config();
            opened = opener.open(parameters.target(System.getenv(), names), config, session -> {
                PtcpConnection connection = new PtcpConnection(
                        session, configuration, FrameGuard.bounded(MOST_FRAME_BYTES), (ended, failed, cause) -> {
                            if (cause != null && protocol instanceof ConnectListener known) {
                                known.cannotConnect(reason(cause), false); // who has no session yet cannot connect
                            }
                            listener.connectionDestroyed(ended.getID(), failed);
                            end(opener);
                        });
                made.complete(connection);
                return connection.listener(handler, () -> listener.connectionCreated(null, connection, protocol));
            });
            opened.get(2 * config.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return made.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            say(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            say(new PtcpException(PtcpException.Code.UNREACHABLE, "no answer", e));
        } catch (IllegalArgumentException e) {
            say(e);
        }
        opened.thenAccept(late -> late.abort("came too late"));
        return null;
    }

    private String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        String place = parameters.place() + ": ";
        return message.startsWith(place) ? message.substring(place.length()) : message;
    }

    /** Artemis learns no reason: who listens tells of it, or else this line, unless nobody answers, which is retried. */
    private void say(Throwable cause) {
        String reason = reason(cause);
        if (protocol instanceof ConnectListener known) {
            known.cannotConnect(reason, HttpProxyException.isLoginRefused(cause));
        } else if (cause instanceof PtcpException known && known.code() == PtcpException.Code.UNREACHABLE) {
            LOG.debug("cannot connect", cause);
        } else {
            long nowNs = System.nanoTime();
            long lastNs = SAID_NS.get();
            if ((lastNs == 0 || nowNs - lastNs > SAY_EVERY_NS) && SAID_NS.compareAndSet(lastNs, nowNs)) {
                LOG.warn("{}: cannot connect: {}", parameters.place(), reason);
            }
        }
    }

    @Override
    public boolean isEquivalent(Map<String, Object> other) {
        return parameters.isSameAddress(PtcpParameters.of(other));
    }
}
