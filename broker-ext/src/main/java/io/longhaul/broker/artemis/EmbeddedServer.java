package io.longhaul.broker.artemis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An Artemis server in this process with Longhaul's plugins; may be used from any thread. */
public final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);

    /** Artemis's number of the message for a port that cannot be bound; it throws nothing more telling. */
    private static final String BIND_FAILED = "AMQ229230";

    private final ActiveMQServer server;
    private final DataLock lock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedServer(ActiveMQServer server, DataLock lock) {
        this.server = server;
        this.lock = lock;
    }

    /** Locks the data directory, loads what is in it and listens. */
    public static EmbeddedServer launch(ServerSettings settings) throws ServerException {
        DataLock lock = DataLock.claim(settings.data());
        EmbeddedServer launched = null;
        try {
            ActiveMQServer server = new ActiveMQServerImpl(ServerConfiguration.of(settings));
            launched = new EmbeddedServer(server, lock);
            launched.start();
            return launched;
        } catch (ServerException e) {
            closeFailed(launched, lock, e);
            throw e;
        } catch (Exception e) {
            closeFailed(launched, lock, e);
            throw new ServerException(
                    ServerException.Kind.FAILED, "broker " + settings.name() + " cannot start: " + e, e);
        }
    }

    private void start() throws Exception {
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        server.registerActivationFailureListener(failure::set);
        server.start();
        Exception cause = failure.get();
        if (cause != null) {
            throw startFailure(cause);
        }
        server.createQueue(
                QueueConfiguration.of(ServerConfiguration.brokerQueue())
                        .setRoutingType(RoutingType.ANYCAST)
                        .setDurable(true)
                        .setAutoDelete(false),
                true);
    }

    private static ServerException startFailure(Exception cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            int at = message.indexOf(BIND_FAILED);
            if (at >= 0) {
                String where = message.substring(message.lastIndexOf(' ') + 1);
                return new ServerException(
                        ServerException.Kind.CANNOT_LISTEN,
                        "listen " + where + ": expected a free port of this host, found: "
                                + (each.getCause() == null ? "it taken" : each.getCause().getMessage()),
                        cause);
            }
        }
        return new ServerException(ServerException.Kind.FAILED, "broker cannot start: " + cause, cause);
    }

    private static void closeFailed(@Nullable EmbeddedServer launched, DataLock lock, Exception cause) {
        try {
            if (launched == null) {
                lock.close();
            } else {
                launched.close();
            }
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }

    /** Returns the port of the first acceptor. */
    public int port() {
        return server.getRemotingService().getAcceptor("acceptor-0").getActualPort();
    }

    public boolean isRunning() {
        return server.isStarted();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try (lock) {
            server.stop(false);
        } catch (Exception e) {
            LOG.warn("broker did not stop in order: {}", e.toString());
        }
    }
}
