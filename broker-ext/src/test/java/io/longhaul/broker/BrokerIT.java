package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path data;

    @Test
    void shouldDeliverInOrderAfterRestartWhenAcknowledged() throws Exception {
        // given
        BrokerConfig config = BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0");
        try (Broker broker = Broker.launch(config);
                Client client = Client.connect(broker.corePort()).subscription("t", "s")) {
            for (int i = 0; i < 20; i++) {
                client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, i, new byte[1024 * 1024]));
            }
        }

        // when
        try (Broker broker = Broker.launch(config);
                Client client = Client.connect(broker.corePort());
                ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {

            // then
            for (int i = 0; i < 20; i++) {
                ClientMessage message = Client.next(consumer);
                assertThat(message.getLongProperty("lh_index")).isEqualTo(i);
                assertThat(message.getBodySize()).isEqualTo(1024 * 1024);
                message.acknowledge();
            }
        }
    }

    @Test
    void shouldRefuseDataDirectoryWhenAnotherBrokerHoldsIt() {
        // given
        BrokerConfig config = BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0");
        try (Broker first = Broker.launch(config)) {
            assertThat(first.isRunning()).isTrue();

            // when then
            assertThatThrownBy(() -> Broker.launch(config))
                    .isInstanceOfSatisfying(
                            BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.IN_USE))
                    .hasMessageContaining(data.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void shouldRefuseAddressBeyondLoopbackWhenThereAreNoUsers() {
        // given
        BrokerConfig config = BrokerConfig.of("one", data).withListen("0.0.0.0:0");

        // when then
        assertThatThrownBy(() -> Broker.launch(config)).hasMessageContaining("--users");
    }

    @Test
    void shouldSayWhereWhenPortIsTaken() {
        // given
        BrokerConfig config = BrokerConfig.of("one", data.resolve("a")).withListenCoreOnly("127.0.0.1:0");
        try (Broker first = Broker.launch(config)) {
            BrokerConfig second = BrokerConfig.of("two", data.resolve("b")).withListen("127.0.0.1:" + first.corePort());

            // when then
            assertThatThrownBy(() -> Broker.launch(second))
                    .isInstanceOfSatisfying(
                            BrokerException.class,
                            e -> assertThat(e.code()).isEqualTo(BrokerException.Code.CANNOT_LISTEN))
                    .hasMessageContaining("127.0.0.1:" + first.corePort());
        }
    }
}
