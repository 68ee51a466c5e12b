package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.WireException;
import java.util.List;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.CoreNotificationType;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Consumer;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.management.Notification;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer for each subscription, inbox and endpoint.
 *
 * <p>A returning agent evicts what its killed predecessor left, which the server would keep until its time to live is
 * over: the same owner, or a connection that is gone, makes way at once, and what was being delivered to it goes back
 * to the head of the queue in order. Another owner that is alive stays, and the newcomer is refused. A new consumer
 * has no credit yet, so nothing is delivered to it before the decision.
 */
final class OneConsumer implements ActiveMQServerPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(OneConsumer.class);
    private final ActiveMQServer server;

    OneConsumer(ActiveMQServer server) {
        this.server = server;
    }

    @Override
    public synchronized void afterCreateConsumer(ServerConsumer newcomer) throws ActiveMQException {
        SimpleString queue = newcomer.getQueue().getName();
        if (newcomer.isBrowseOnly() || !Addresses.isClaimed(queue.toString())) {
            return;
        }
        ServerSession mine = server.getSessionByID(newcomer.getSessionID());
        if (mine == null) {
            return;
        }
        for (Consumer each : List.copyOf(newcomer.getQueue().getConsumers())) {
            if (each != newcomer && each instanceof ServerConsumer other) {
                ServerSession theirs = server.getSessionByID(other.getSessionID());
                if (theirs != null && theirs != mine) {
                    settle(newcomer, mine, theirs);
                }
            }
        }
    }

    private void settle(ServerConsumer newcomer, ServerSession mine, ServerSession theirs) throws ActiveMQException {
        SimpleString queue = newcomer.getQueue().getName();
        if (isSameOwner(mine, theirs) || !isAlive(theirs.getRemotingConnection())) {
            evict(mine, theirs, queue);
            return;
        }
        refuse(newcomer, theirs, queue);
    }

    private static boolean isSameOwner(ServerSession mine, ServerSession theirs) {
        String owner = mine.getMetaData(Refusals.OWNER);
        return owner != null
                && owner.equals(theirs.getMetaData(Refusals.OWNER))
                && Objects.equals(mine.getValidatedUser(), theirs.getValidatedUser());
    }

    private static boolean isAlive(@Nullable RemotingConnection connection) {
        return connection != null
                && !connection.isDestroyed()
                && connection.getTransportConnection() != null
                && connection.getTransportConnection().isOpen();
    }

    private void evict(ServerSession mine, ServerSession theirs, SimpleString queue) throws ActiveMQException {
        try {
            theirs.close(true, true);
        } catch (Exception e) {
            throw new ActiveMQException(
                    ActiveMQExceptionType.INTERNAL_ERROR, "cannot evict the predecessor from " + queue, e);
        }
        RemotingConnection connection = theirs.getRemotingConnection();
        if (connection != null && connection != mine.getRemotingConnection()) {
            server.getRemotingService().removeConnection(connection.getID());
            connection.fail(new ActiveMQDisconnectedException("the owner of " + queue + " has come again"));
        }
        LOG.info("{}: evicted the predecessor's session from {}", queue, remote(theirs));
    }

    private void refuse(ServerConsumer newcomer, ServerSession theirs, SimpleString queue) throws ActiveMQException {
        try {
            announce(queue);
            newcomer.close(true);
        } catch (Exception e) {
            LOG.warn("{}: a refused consumer could not be closed: {}", queue, e.toString());
        }
        throw new ActiveMQException(
                ActiveMQExceptionType.ILLEGAL_STATE,
                Refusals.message(
                        Refusals.NAME_IN_USE,
                        inWords(queue.toString()) + " is in use by a live session from " + remote(theirs)));
    }

    /** The server counts consumers by what is announced, and would announce this one only after the decision. */
    private void announce(SimpleString queue) throws Exception {
        TypedProperties properties = new TypedProperties();
        if (server.getPostOffice().getBinding(queue) instanceof QueueBinding binding) {
            properties.putSimpleStringProperty(ManagementHelper.HDR_CLUSTER_NAME, binding.getClusterName());
            properties.putSimpleStringProperty(ManagementHelper.HDR_ROUTING_NAME, binding.getRoutingName());
            properties.putSimpleStringProperty(ManagementHelper.HDR_ADDRESS, binding.getAddress());
        }
        server.getManagementService()
                .sendNotification(new Notification(null, CoreNotificationType.CONSUMER_CREATED, properties));
    }

    /** Names a queue as its users know it. */
    static String inWords(String queue) {
        if (queue.startsWith(Addresses.INBOX_PREFIX)) {
            return "agent name " + queue.substring(Addresses.INBOX_PREFIX.length());
        }
        if (Addresses.isEndpoint(queue)) {
            return "endpoint " + queue.substring(Addresses.ENDPOINT_PREFIX.length());
        }
        try {
            return "subscription " + Addresses.subscriptionOf(queue) + " of topic " + Addresses.topicOf(queue);
        } catch (WireException e) {
            return queue;
        }
    }

    private static String remote(ServerSession session) {
        RemotingConnection connection = session.getRemotingConnection();
        return connection == null ? "an unknown address" : String.valueOf(connection.getRemoteAddress());
    }
}
