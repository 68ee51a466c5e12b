package io.longhaul.broker.artemis;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;
import org.apache.activemq.artemis.core.protocol.core.Channel;
import org.apache.activemq.artemis.core.protocol.core.ChannelHandler;
import org.apache.activemq.artemis.core.protocol.core.CoreRemotingConnection;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ReplicationResponseMessageV2;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ReplicationStartSyncMessage;
import org.apache.activemq.artemis.core.replication.ReplicationManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.apache.activemq.artemis.spi.core.remoting.Connection;

/** A backup that confirms what it is sent, until it is sent what it is lost at. */
final class CopiedBackup {
    private final Predicate<Packet> fatal;
    private final Channel channel = proxy(Channel.class, this::channel);
    private final Connection transport = proxy(Connection.class, this::transport);
    private final CoreRemotingConnection connection = proxy(CoreRemotingConnection.class, this::connection);
    private final ReplicationManager mirror;
    private volatile ChannelHandler answers = packet -> {};
    private volatile boolean lost;
    private volatile boolean deaf;

    private CopiedBackup(ActiveMQServer server, Predicate<Packet> fatal, long patienceMillis) {
        this.fatal = fatal;
        this.mirror = new ReplicationManager(
                server, connection, -1, patienceMillis, ((ActiveMQServerImpl) server).getIOExecutorFactory());
    }

    /** Returns one that is connected. */
    static CopiedBackup of(ActiveMQServer server, Predicate<Packet> fatal, long patienceMillis) throws Exception {
        CopiedBackup backup = new CopiedBackup(server, fatal, patienceMillis);
        backup.mirror.start();
        return backup;
    }

    /** Returns whether a packet says that nothing of a copy is missing. */
    static boolean isLast(Packet packet) {
        return packet instanceof ReplicationStartSyncMessage step && step.isSynchronizationFinished();
    }

    ReplicationManager mirror() {
        return mirror;
    }

    /** Has it answer nothing any more, though it is there. */
    void fallSilent() {
        deaf = true;
    }

    boolean isLost() {
        return lost;
    }

    private Object channel(String method, Object[] arguments) throws Exception {
        switch (method) {
            case "send" -> take((Packet) arguments[0]);
            case "setHandler" -> answers = (ChannelHandler) arguments[0];
            default -> {}
        }
        return method.equals("getConnection") ? connection : true;
    }

    private void take(Packet packet) throws Exception {
        packet.release();
        if (fatal.test(packet)) {
            lost = true;
            mirror.stop(); // as Artemis does when a connection fails
        } else if (!deaf) {
            answers.handlePacket(new ReplicationResponseMessageV2(isLast(packet)));
        }
    }

    private Object connection(String method, Object[] arguments) {
        return switch (method) {
            case "getChannel" -> channel;
            case "getTransportConnection" -> transport;
            default -> true;
        };
    }

    private Object transport(String method, Object[] arguments) {
        return !lost;
    }

    private interface Methods {
        Object call(String method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Methods methods) {
        InvocationHandler handler = (self, method, arguments) -> {
            Object result = methods.call(method.getName(), arguments);
            return method.getReturnType() == void.class ? null : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
