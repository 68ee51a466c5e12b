package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.PtcpServer;
import io.longhaul.ptcp.net.ServerPorts;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.cluster.impl.MessageLoadBalancingType;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.apache.activemq.artemis.core.server.impl.ServiceRegistryImpl;

/** An Artemis server of this process that listens for parallel TCP alone; can be stopped and started again. */
final class EmbeddedBroker implements AutoCloseable {
    static final String CLUSTER = "cluster";
    private static final int MAX_FRAME_BYTES = 16 * 1024 * 1024;
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Soon enough for tests that cut everything. */
    private static final Duration RESTORE = SECOND.multipliedBy(2);

    private final int port;
    private final PtcpConfig config;
    private final Configuration configuration;
    private Supplier<FrameGuard> guards = () -> FrameGuard.bounded(MAX_FRAME_BYTES);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private ActiveMQServer server;

    private EmbeddedBroker(Path data, String name, int port, boolean clustered, Duration restore) throws Exception {
        this.port = port;
        this.config = PtcpConfig.defaults().withLimits(SECOND.multipliedBy(5), SECOND, restore, SECOND);
        Map<String, Object> acceptor = clustered ? Map.of("clusterConnection", CLUSTER) : Map.of();
        this.configuration = new ConfigurationImpl()
                .setName(name)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                .setLargeMessagesDirectory(data.resolve("large").toString())
                .setNodeManagerLockDirectory(data.resolve("node").toString())
                .setJournalType(JournalType.NIO)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .setMaxDiskUsage(-1)
                .setConnectionTtlCheckInterval(200)
                .addAcceptorConfiguration(
                        new TransportConfiguration(PtcpAcceptorFactory.class.getName(), acceptor, "ptcp"))
                .addConnectorConfiguration(name, connector(port));
    }

    static EmbeddedBroker of(Path data) throws Exception {
        return of(data, RESTORE);
    }

    /** One whose sessions live so long without any stream. */
    static EmbeddedBroker of(Path data, Duration restore) throws Exception {
        return new EmbeddedBroker(data, "broker", ServerPorts.free(), false, restore);
    }

    /** A member of a cluster that knows the other members' names and ports. */
    static EmbeddedBroker member(Path data, String name, int port, Map<String, Integer> others) throws Exception {
        EmbeddedBroker member = new EmbeddedBroker(data, name, port, true, RESTORE);
        others.forEach((other, at) -> member.configuration.addConnectorConfiguration(other, connector(at)));
        member.configuration
                .setClusterUser("cluster")
                .setClusterPassword("secret")
                .addClusterConfiguration(new ClusterConnectionConfiguration()
                        .setName(CLUSTER)
                        .setConnectorName(name)
                        .setRetryInterval(100)
                        .setMessageLoadBalancingType(MessageLoadBalancingType.ON_DEMAND)
                        .setStaticConnectors(List.copyOf(others.keySet())));
        return member;
    }

    static TransportConfiguration connector(int port) {
        return new TransportConfiguration(
                PtcpConnectorFactory.class.getName(),
                new PtcpParameters("127.0.0.1", port, 3, false, "", "", true, "").map(),
                "to-" + port);
    }

    Configuration configuration() {
        return configuration;
    }

    int port() {
        return port;
    }

    /** Each connection has the next guard. */
    EmbeddedBroker guardedBy(Supplier<FrameGuard> others) {
        guards = others;
        return this;
    }

    EmbeddedBroker start() throws Exception {
        ServiceRegistryImpl services = new ServiceRegistryImpl();
        services.addAcceptorFactory(
                "ptcp",
                new PtcpAcceptorFactory(
                        new PtcpServer.Settings(
                                "test-broker",
                                new InetSocketAddress("127.0.0.1", port),
                                Optional.empty(),
                                2,
                                1000,
                                (kind, story) -> {
                                    System.out.println(kind + ": " + story);
                                    told.add(story);
                                }),
                        config,
                        guards));
        server = new ActiveMQServerImpl(configuration, null, null, null, services);
        server.start();
        return this;
    }

    /** Waits for the server to be active, and makes a durable queue at the address of its name. */
    EmbeddedBroker withQueue(String name) throws Exception {
        server.waitForActivation(20, TimeUnit.SECONDS);
        server.createQueue(
                QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setDurable(true), true);
        return this;
    }

    /** Returns what its acceptor turned away, or saw end otherwise than in order. */
    List<String> told() {
        return List.copyOf(told);
    }

    ActiveMQServer server() {
        return server;
    }

    Queue queue(String name) {
        return server.locateQueue(SimpleString.of(name));
    }

    void stop() throws Exception {
        server.stop();
    }

    @Override
    public void close() {
        if (server != null) {
            try {
                server.stop();
            } catch (Exception e) {
                throw new IllegalStateException("the server did not stop", e);
            }
        }
    }
}
