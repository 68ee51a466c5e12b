package io.longhaul.broker.artemis;

import io.longhaul.ptcp.artemis.PtcpConnection;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ReattachSessionResponseMessage;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;

/**
 * Tells a connection's guard that a session was made on it, or came to it from a connection that broke, so that longer
 * frames may come.
 */
final class KnownPeers implements ActiveMQServerPlugin, Interceptor {

    /** Adds itself to a server that has not been started. */
    static void watch(ActiveMQServer server) {
        KnownPeers peers = new KnownPeers();
        server.registerBrokerPlugin(peers);
        server.getServiceRegistry().addOutgoingInterceptor(peers);
    }

    @Override
    public void afterCreateSession(ServerSession session) {
        trust(session.getRemotingConnection());
    }

    /** Called before the server sends a packet: the only sign that it found a session of this name, which is a secret. */
    @Override
    public boolean intercept(Packet packet, RemotingConnection connection) {
        if (packet instanceof ReattachSessionResponseMessage response && response.isReattached()) {
            trust(connection);
        }
        return true;
    }

    private static void trust(@Nullable RemotingConnection connection) {
        if (connection != null && connection.getTransportConnection() instanceof NettyConnection netty) {
            ConnectionGuard.trust(netty.getNettyChannel());
        } else if (connection != null && connection.getTransportConnection() instanceof PtcpConnection ptcp) {
            ptcp.trust();
        }
    }
}
