package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamageIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int PIECES = 330;
    private static final int HELD = 12;
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
                    outcomes.get(i - 16).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                }
            }
            CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                    .get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
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

    @Test
    void shouldDeliverWhatIsLeftInOrderWhenAJournalFileIsCut() throws Exception {
        // given
        BrokerConfig config = hold();
        Path file = data.resolve("journal/activemq-data-1.amq");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(5 * MIB);
        }

        // when
        List<Long> delivered = deliver(config, 4);

        // then
        assertThat(delivered).hasSizeBetween(4, HELD - 1).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldNotStartAndChangeNothingWhenBindingsAreCutOrGone() throws Exception {
        // given
        BrokerConfig config = hold();
        Path file = data.resolve("bindings/activemq-bindings-1.bindings");
        Path other = data.resolve("bindings/activemq-bindings-2.bindings");
        byte[] bytes = Files.readAllBytes(file);
        byte[] others = Files.readAllBytes(other);
        Map<Path, byte[]> journal = journal();

        // when
        Files.write(file, Arrays.copyOf(bytes, 100));
        String cut = refusal(config);
        Files.write(file, new byte[0]);
        String empty = refusal(config);
        Files.delete(file);
        String gone = refusal(config);
        Files.write(file, bytes);
        Files.delete(other);
        String otherGone = refusal(config);
        Files.delete(file);
        String allGone = refusal(config);

        // then
        assertThat(cut)
                .contains(file + ": expected " + MIB + " bytes, found 100")
                .contains("restore");
        assertThat(empty).contains(file + ": expected " + MIB + " bytes, found 0");
        assertThat(gone).contains(data.resolve("bindings") + ": expected the queues of the messages");
        assertThat(otherGone).contains(other + ": expected a file, found none").contains("restore");
        assertThat(allGone).contains(data.resolve("bindings") + ": expected files of bindings, found none");
        assertThat(file).doesNotExist();
        assertThat(journal()).containsExactlyInAnyOrderEntriesOf(journal);
        Files.write(file, bytes);
        Files.write(other, others);
        assertThat(deliver(config, HELD)).hasSize(HELD).isSorted();
    }

    @Test
    void shouldSayInWordsWhyItDoesNotStartWhenBytesOfTheBindingsAreFlipped() throws Exception {
        // given
        BrokerConfig config = hold();
        Path file = data.resolve("bindings/activemq-bindings-1.bindings");
        byte[] bytes = Files.readAllBytes(file);
        int name = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("l\0h\0.\0s\0u\0b\0");

        // when
        flip(file, name - 4);
        String body = refusal(config);
        Files.write(file, bytes);
        flip(file, 16);
        String record = refusal(config);

        // then
        assertThat(body)
                .contains(data.resolve("bindings") + ": expected addresses and queues, found a record")
                .doesNotContain("Exception");
        assertThat(record)
                .contains(file + ": bytes 16..")
                .contains("expected a record, found none")
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "journal",
                "bindings/activemq-bindings-1.bindings.tmp",
                "bindings/activemq-bindings-2.bindings",
                "journal/activemq-data-1.amq.tmp",
                "journal/activemq-data-1.amq",
                "journal/activemq-data-3.amq.tmp"
            })
    void shouldStartWhenItsFirstStartWasKilled(String file) throws IOException {
        // given
        BrokerProcess.killOnceThereIs(data.resolve(file), data);

        // when then
        try (Broker broker = Broker.launch(BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0"))) {
            assertThat(broker.isRunning()).isTrue();
        }
    }

    /** Has a broker take some messages that fit into one journal file, and stops it. */
    private BrokerConfig hold() throws Exception {
        BrokerConfig config = BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0");
        try (Broker broker = Broker.launch(config);
                Client client = Client.connect(broker.corePort()).subscription("t", "s")) {
            for (int i = 0; i < HELD; i++) {
                client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, i, new byte[MIB]));
            }
        }
        return config;
    }

    /** Starts a broker and returns the numbers of what it delivers: waits for so many, and not long for more. */
    private static List<Long> deliver(BrokerConfig config, int expected) throws Exception {
        List<Long> delivered = new ArrayList<>();
        try (Broker broker = Broker.launch(config);
                Client client = Client.connect(broker.corePort());
                ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {
            for (ClientMessage message = consumer.receive(30_000);
                    message != null;
                    message = consumer.receive(delivered.size() < expected ? 30_000 : 300)) {
                delivered.add(message.getLongProperty("lh_index"));
            }
        }
        return delivered;
    }

    private static String refusal(BrokerConfig config) {
        BrokerException failure = catchThrowableOfType(
                BrokerException.class, () -> Broker.launch(config).close());
        assertThat(failure).isNotNull();
        assertThat(failure.code()).isEqualTo(BrokerException.Code.BAD_DATA);
        return String.valueOf(failure.getMessage());
    }

    private Map<Path, byte[]> journal() throws IOException {
        Map<Path, byte[]> journal = new HashMap<>();
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            for (Path file : files.toList()) {
                journal.put(file, Files.readAllBytes(file));
            }
        }
        return journal;
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
