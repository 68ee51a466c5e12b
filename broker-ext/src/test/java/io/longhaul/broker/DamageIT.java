package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamageIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int PIECES = 330;
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path data;

    @Test
    void shouldDeliverAllButTheDamagedMessagesWhenLengthsAreFlippedOnDisk() throws Exception {
        // given
        BrokerConfig config = BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0");
        try (Broker broker = Broker.launch(config);
                Client client = Client.connect(broker.corePort()).subscription("t", "s")) {
            byte[] body = new byte[MIB];
            new Random(1).nextBytes(body);
            List<CompletableFuture<Void>> outcomes = new ArrayList<>();
            for (int i = 0; i < PIECES; i++) {
                outcomes.add(client.send("lh.topic.t", client.message("piece", TRANSFER, i, body)));
                if (i >= 16) {
                    outcomes.get(i - 16).get(20, TimeUnit.SECONDS);
                }
            }
            CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        }

        // when
        flip(first("paging", ".page"), 2);
        flip(data.resolve("journal/activemq-data-1.amq"), 16 + 40);

        // then
        try (Broker broker = Broker.launch(config);
                Client client = Client.connect(broker.corePort());
                ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {
            List<Long> delivered = new ArrayList<>();
            for (ClientMessage message = consumer.receive(30_000);
                    message != null;
                    message = consumer.receive(delivered.size() == PIECES - 2 ? 300 : 30_000)) {
                delivered.add(message.getLongProperty("lh_index"));
                message.acknowledge();
            }
            assertThat(delivered).hasSize(PIECES - 2).isSorted().doesNotHaveDuplicates();
            assertThat(broker.isRunning()).isTrue();
        }
    }

    private Path first(String directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int was = bytes.read();
            bytes.seek(at);
            bytes.write(was ^ 0x10);
        }
    }
}
