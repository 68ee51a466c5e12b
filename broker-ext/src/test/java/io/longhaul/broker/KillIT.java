package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int PIECES = 120;

    @TempDir
    Path directory;

    @Test
    void shouldHoldWhatItAcknowledgedAndOrderOnwardsWhenKilledWhileSending() throws Exception {
        // given
        Path data = directory.resolve("data");
        List<CompletableFuture<Void>> outcomes = new ArrayList<>();
        long orderBefore;
        try (BrokerProcess broker = BrokerProcess.start(data);
                Client client = Client.connect(broker.port()).subscription("t", "s");
                Client reader = Client.connect(broker.port()).subscription("o", "s")) {
            orderBefore = order(client, reader);
            for (int i = 0; i < PIECES; i++) {
                outcomes.add(client.send("lh.topic.t", client.message("piece", TRANSFER, i, new byte[512 * 1024])));
            }
            outcomes.get(PIECES / 2).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);

            // when
            broker.kill();
        }
        Set<Long> acknowledged = new HashSet<>();
        for (int i = 0; i < PIECES; i++) {
            if (outcomes.get(i).isDone() && !outcomes.get(i).isCompletedExceptionally()) {
                acknowledged.add((long) i);
            }
        }

        // then
        try (BrokerProcess broker = BrokerProcess.start(data);
                Client client = Client.connect(broker.port());
                Client reader = Client.connect(broker.port());
                ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {
            List<Long> delivered = new ArrayList<>();
            for (ClientMessage message = consumer.receive(30_000);
                    message != null;
                    message = consumer.receive(delivered.containsAll(acknowledged) ? 1000 : 30_000)) {
                delivered.add(message.getLongProperty("lh_index"));
            }
            assertThat(acknowledged).hasSizeGreaterThan(PIECES / 2);
            assertThat(delivered).containsAll(acknowledged).isSorted();
            assertThat(order(Client.connect(broker.port()), reader)).isGreaterThan(orderBefore);
        }
    }

    private static long order(Client sender, Client reader) throws Exception {
        try (ClientConsumer consumer = reader.session.createConsumer("lh.sub.o@s")) {
            sender.sendAndWait("lh.topic.o", sender.message("manifest", TRANSFER, 0, new byte[10]));
            ClientMessage message = Client.next(consumer);
            message.acknowledge();
            return message.getLongProperty("lh_order");
        }
    }
}
