package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.net.Patience;
import io.longhaul.ptcp.net.ServerPorts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.core.server.cluster.RemoteQueueBinding;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artemis servers that reach each other over parallel TCP: clusters, bridges, replication. */
@Timeout(120)
class PtcpClusterIT {
    private static final String QUEUE = "queue";
    private static final int LENGTH = 50_000;
    private static final int COUNT = 50;

    @TempDir
    private Path data;

    private EmbeddedBroker first;
    private EmbeddedBroker second;

    @BeforeEach
    void configure() throws Exception {
        int port = ServerPorts.free();
        int other = ServerPorts.free();
        first = EmbeddedBroker.member(data.resolve("first"), "first", port, Map.of("second", other));
        second = EmbeddedBroker.member(data.resolve("second"), "second", other, Map.of("first", port));
    }

    @AfterEach
    void stop() throws Exception {
        second.close();
        first.close();
    }

    private static int members(EmbeddedBroker broker) {
        return broker.server()
                .getClusterManager()
                .getClusterConnection(EmbeddedBroker.CLUSTER)
                .getTopology()
                .getMembers()
                .size();
    }

    private static void awaitMessages(ClientConsumer consumer) throws Exception {
        for (int i = 0; i < COUNT; i++) {
            assertThat(CoreClient.receive(consumer)).isEqualTo(i);
        }
    }

    private void formCluster() throws Exception {
        for (EmbeddedBroker each : List.of(first, second)) {
            each.configuration().addAddressSetting("#", new AddressSettings().setRedistributionDelay(0));
            each.start().withQueue(QUEUE);
        }
        Patience.await().until(() -> members(first) == 2 && members(second) == 2);
    }

    /** Waits until a server knows that another one has a consumer. */
    private static void awaitRemoteConsumer(EmbeddedBroker there) {
        Patience.await()
                .until(() ->
                        there
                                .server()
                                .getPostOffice()
                                .lookupBindingsForAddress(SimpleString.of(QUEUE))
                                .getBindings()
                                .stream()
                                .anyMatch(each ->
                                        each instanceof RemoteQueueBinding binding && binding.consumerCount() > 0));
    }

    @Test
    void shouldDeliverAtTheOtherServerWhenOnlyThereIsAConsumer() throws Exception {
        // given
        formCluster();
        try (CoreClient here = CoreClient.once(first.port());
                CoreClient there = CoreClient.once(second.port())) {
            ClientConsumer consumer = there.session().createConsumer(QUEUE);
            awaitRemoteConsumer(first);

            // when
            CoreClient.send(here.session(), QUEUE, 0, COUNT, LENGTH);

            // then
            awaitMessages(consumer);
        }
    }

    @Test
    void shouldMoveWhatWaitsWhenAConsumerComesAtTheOtherServer() throws Exception {
        // given
        formCluster();
        try (CoreClient here = CoreClient.once(first.port());
                CoreClient there = CoreClient.once(second.port())) {
            CoreClient.send(here.session(), QUEUE, 0, COUNT, LENGTH);

            // when
            ClientConsumer consumer = there.session().createConsumer(QUEUE);

            // then
            awaitMessages(consumer);
            Patience.await().until(() -> first.queue(QUEUE).getMessageCount() == 0);
        }
    }

    @Test
    void shouldBridgeWhatWasSentWhileTheOtherServerWasAway() throws Exception {
        // given
        BridgeConfiguration bridge = new BridgeConfiguration("bridge")
                .setQueueName("outgoing")
                .setForwardingAddress("incoming")
                .setRetryInterval(100)
                .setReconnectAttempts(-1)
                .setInitialConnectAttempts(-1)
                .setConfirmationWindowSize(1024 * 1024)
                .setStaticConnectors(List.of("second"));
        first.configuration().getClusterConfigurations().clear();
        second.configuration().getClusterConfigurations().clear();
        first.start().withQueue("outgoing");
        first.server().deployBridge(bridge);
        second.start().withQueue("incoming");
        try (CoreClient here = CoreClient.once(first.port())) {
            CoreClient.send(here.session(), "outgoing", 0, COUNT / 2, LENGTH);
            Patience.await().until(() -> second.queue("incoming").getMessageCount() == COUNT / 2);

            // when
            second.stop();
            CoreClient.send(here.session(), "outgoing", COUNT / 2, COUNT - COUNT / 2, LENGTH);
            second.start().withQueue("incoming");

            // then
            try (CoreClient there = CoreClient.once(second.port())) {
                awaitMessages(there.session().createConsumer("incoming"));
            }
            Patience.await().until(() -> first.queue("outgoing").getMessageCount() == 0);
        }
    }

    @Test
    void shouldTakeOverWithAllMessagesWhenThePrimaryOfAPairStops() throws Exception {
        // given
        first.configuration().setHAPolicyConfiguration(new ReplicatedPolicyConfiguration());
        second.configuration().setHAPolicyConfiguration(new ReplicaPolicyConfiguration());
        first.start().withQueue(QUEUE);
        second.start();
        Patience.await().until(second.server()::isReplicaSync);
        try (CoreClient here = CoreClient.once(first.port())) {
            CoreClient.send(here.session(), QUEUE, 0, COUNT, LENGTH);
        }

        // when
        first.server().fail(true);

        // then
        Patience.await().until(second.server()::isActive);
        try (CoreClient there = CoreClient.once(second.port())) {
            awaitMessages(there.session().createConsumer(QUEUE));
        }
    }
}
