package io.longhaul.it.bench.floor;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;

/** What both ends of the floor agree on. */
public final class FloorLink {
    public static final String ADDRESS = "floor";
    public static final String OFFSET = "offset";
    public static final String LENGTH = "length";
    public static final String CRC = "crc";
    public static final String NAME = "name";
    public static final String DIGEST = "digest";
    static final int PIECE_BYTES = 1024 * 1024;
    static final int IN_FLIGHT = 32;

    private static final int SOCKET_BUFFER = 1024 * 1024;

    private FloorLink() {}

    static TransportConfiguration transport(String factory, int port) {
        return new TransportConfiguration(
                factory,
                Map.of(
                        TransportConstants.HOST_PROP_NAME,
                        "127.0.0.1",
                        TransportConstants.PORT_PROP_NAME,
                        port,
                        TransportConstants.TCP_SENDBUFFER_SIZE_PROPNAME,
                        SOCKET_BUFFER,
                        TransportConstants.TCP_RECEIVEBUFFER_SIZE_PROPNAME,
                        SOCKET_BUFFER));
    }

    public static ServerLocator locator(int port) {
        return ActiveMQClient.createServerLocatorWithoutHA(transport(NettyConnectorFactory.class.getName(), port))
                .setMinLargeMessageSize(16 * PIECE_BYTES)
                .setConfirmationWindowSize(16 * PIECE_BYTES)
                .setConsumerWindowSize(IN_FLIGHT * PIECE_BYTES)
                .setProducerWindowSize(-1)
                .setBlockOnDurableSend(false)
                .setAckBatchSize(0);
    }

    /** Takes from a durable queue of this name, which gets all that is sent from now on. */
    public static ClientConsumer consumer(ClientSession session, String queue) throws ActiveMQException {
        session.createQueue(QueueConfiguration.of(queue)
                .setAddress(ADDRESS)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(true));
        return session.createConsumer(queue);
    }

    public static MessageDigest sha256() throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256");
    }

    public static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    public static void say(String event, String name) {
        System.out.println("{\"event\":\"" + event + "\",\"name\":\"" + name + "\"}");
        System.out.flush();
    }
}
