package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalReuseIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int MIB = 1024 * 1024;
    private static final int WINDOW = 16;

    @TempDir
    private Path data;

    private Broker broker;
    private Client client;
    private int sent;

    @BeforeEach
    void launch() throws Exception {
        broker = Broker.launch(BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0"));
        client = Client.connect(broker.corePort()).subscription("t", "s");
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        broker.close();
    }

    private CompletableFuture<Void> send() {
        return client.send("lh.topic.t", client.message("piece", TRANSFER, sent++, new byte[MIB]));
    }

    private static void take(ClientConsumer consumer) throws Exception {
        Client.next(consumer).acknowledge();
    }

    private long journalFiles() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            return files.filter(file -> file.toString().endsWith(".amq")).count();
        }
    }

    @Test
    void shouldGoOnWithTheSameJournalFilesWhenABacklogHadBeenInPages() throws Exception {
        // given: a backlog beyond the memory of its address, which has gone
        long files = journalFiles();
        while (Pages.bytes(data) < 16 * MIB) {
            send().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        try (Client subscriber = Client.connect(broker.corePort());
                ClientConsumer consumer = subscriber.session.createConsumer("lh.sub.t@s")) {
            for (int i = 0; i < sent; i++) {
                take(consumer);
            }
            await().until(() -> Pages.bytes(data) == 0);

            // when: more than the files hold
            Deque<CompletableFuture<Void>> window = new ArrayDeque<>();
            for (long bytes = 0; bytes < (files + 8) * 32 * MIB; bytes += MIB) {
                window.add(send());
                if (window.size() > WINDOW) {
                    window.remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    take(consumer);
                }
            }
        }

        // then
        assertThat(journalFiles()).isLessThanOrEqualTo(files);
    }
}
