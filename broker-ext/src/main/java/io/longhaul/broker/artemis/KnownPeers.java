package io.longhaul.broker.artemis;

import io.longhaul.ptcp.artemis.PtcpConnection;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/** Tells a connection's guard that a session was made on it, so that longer frames may come. */
final class KnownPeers implements ActiveMQServerPlugin {
    @Override
    public void afterCreateSession(ServerSession session) {
        RemotingConnection connection = session.getRemotingConnection();
        if (connection != null && connection.getTransportConnection() instanceof NettyConnection netty) {
            ConnectionGuard.trust(netty.getNettyChannel());
        } else if (connection != null && connection.getTransportConnection() instanceof PtcpConnection ptcp) {
            ptcp.trust();
        }
    }
}
