package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.management.CoreNotificationType;
import org.apache.activemq.artemis.core.remoting.impl.AbstractAcceptor;
import org.apache.activemq.artemis.core.security.ActiveMQPrincipal;
import org.apache.activemq.artemis.core.server.cluster.ClusterConnection;
import org.apache.activemq.artemis.core.server.management.Notification;
import org.apache.activemq.artemis.core.server.management.NotificationService;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.ServerConnectionLifeCycleListener;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections of the core protocol over parallel TCP. Thread-safe. */
final class PtcpAcceptor extends AbstractAcceptor {
    private static final Logger LOG = LoggerFactory.getLogger(PtcpAcceptor.class);
    private final String name;
    private final @Nullable ClusterConnection cluster;
    private final Map<String, Object> configuration;
    private final BufferHandler handler;
    private final ServerConnectionLifeCycleListener listener;
    private final PtcpServer.Settings settings;
    private final Offer offer;
    private final Map<Object, PtcpConnection> connections = new ConcurrentHashMap<>();
    private @Nullable NotificationService notifications; // guarded by this
    private @Nullable PtcpServer server; // guarded by this
    private volatile boolean leaving; // connections end because this end stops
    private volatile int port;

    /** What the acceptor gives its sessions. */
    record Offer(PtcpConfig config, Supplier<FrameGuard> guards, List<SideDoor> sides) {}

    /** What Artemis gives every acceptor and parallel TCP needs. */
    record Parts(
            String name,
            @Nullable ClusterConnection cluster,
            Map<String, Object> configuration,
            BufferHandler handler,
            ServerConnectionLifeCycleListener listener,
            @SuppressWarnings("rawtypes") Map<String, ProtocolManager> protocols) {}

    PtcpAcceptor(Parts parts, PtcpServer.Settings settings, Offer offer) {
        super(parts.protocols());
        this.name = parts.name();
        this.cluster = parts.cluster();
        this.configuration = parts.configuration();
        this.handler = parts.handler();
        this.listener = parts.listener();
        this.settings = settings;
        this.offer = offer;
    }

    @Override
    public synchronized void start() throws Exception {
        if (server != null) {
            return;
        }
        leaving = false;
        PtcpServer launched = PtcpServer.launch(settings, offer.config(), this::accepted);
        server = launched;
        port = launched.port();
        notify(CoreNotificationType.ACCEPTOR_STARTED);
    }

    private PtcpListener accepted(PtcpSession session) {
        return offer.sides().isEmpty() ? core(session) : new FirstBytes(session, offer.sides(), () -> core(session));
    }

    private PtcpListener core(PtcpSession session) {
        FrameGuard guard = offer.guards().get();
        PtcpConnection connection = new PtcpConnection(session, configuration, guard, this::ended);
        Object id = connection.getID();
        return connection.listener(handler, () -> {
            connections.put(id, connection);
            guard.loginLimit().ifPresent(limit -> session.schedule(() -> expire(id, limit), limit));
            listener.connectionCreated(this, connection, protocolMap.get(ActiveMQClient.DEFAULT_CORE_PROTOCOL));
        });
    }

    /** Knows no more than the name of what may have ended long ago. */
    private void expire(Object id, Duration limit) {
        PtcpConnection connection = connections.get(id);
        if (connection != null && !connection.isTrusted()) {
            connection.session().abort("no login in " + limit.toSeconds() + " s");
        }
    }

    private void ended(PtcpConnection connection, boolean failed, @Nullable PtcpException cause) {
        // of those whom nobody knows the server tells
        if (cause != null && cause.code() != PtcpException.Code.LOST && connection.isTrusted() && !leaving) {
            settings.refused()
                    .accept(
                            cause.code().name(),
                            "connection from " + connection.getRemoteAddress() + " ended: " + cause.getMessage());
        }
        if (connections.remove(connection.getID()) != null) {
            listener.connectionDestroyed(connection.getID(), failed);
        }
    }

    @Override
    public void stop() {
        leaving = true;
        PtcpServer stopped;
        synchronized (this) {
            stopped = server;
            server = null;
        }
        if (stopped != null) {
            stopped.pause();
            connections.values().forEach(connection -> ended(connection, true, null));
            stopped.close();
        }
    }

    @Override
    public synchronized void pause() {
        leaving = true;
        if (server != null) {
            server.pause();
        }
    }

    @Override
    public synchronized boolean isStarted() {
        return server != null;
    }

    @Override
    public synchronized void notifyStop() {
        notify(CoreNotificationType.ACCEPTOR_STOPPED);
    }

    private void notify(CoreNotificationType type) {
        NotificationService service = notifications;
        if (service == null) {
            return;
        }
        TypedProperties properties = new TypedProperties();
        properties.putSimpleStringProperty(
                SimpleString.of("factory"), SimpleString.of(PtcpAcceptorFactory.class.getName()));
        properties.putSimpleStringProperty(
                SimpleString.of("host"), SimpleString.of(settings.address().getHostString()));
        properties.putIntProperty(SimpleString.of("port"), port);
        try {
            service.sendNotification(new Notification(null, type, properties));
        } catch (ActiveMQException e) {
            LOG.warn("acceptor {}: cannot send the notification {}", name, type, e);
        } catch (Exception e) {
            LOG.warn("acceptor {}: cannot send the notification {}", name, type, e);
        }
    }

    @Override
    public synchronized void setNotificationService(NotificationService service) {
        notifications = service;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable ClusterConnection getClusterConnection() {
        return cluster;
    }

    @Override
    public Map<String, Object> getConfiguration() {
        return configuration;
    }

    /** Nobody is anybody without a login. */
    @Override
    public void setDefaultActiveMQPrincipal(ActiveMQPrincipal principal) {
        throw new UnsupportedOperationException("parallel TCP has no default user");
    }

    @Override
    public boolean isUnsecurable() {
        return false;
    }

    @Override
    public void reload() {}

    @Override
    public int getActualPort() {
        return port;
    }
}
