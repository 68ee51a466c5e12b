package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.storage.ledger.LedgerVandal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code longhaul receipts} says after real files were published and received, and after ledgers were changed. */
final class SignedReceiptsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private final List<TestEnvironment> worlds = new ArrayList<>();
    private final List<CompletableFuture<Integer>> exits = new ArrayList<>();
    private String broker = "";

    @BeforeEach
    void startBroker() throws IOException {
        TestEnvironment world = world();
        start(world, "broker", "--name", "b", "--data", path("b"), "--listen", "127.0.0.1:0", "--json");
        await().atMost(PATIENCE).until(() -> !world.out().isEmpty());
        broker = "127.0.0.1:" + json(world.out().get(0)).path("port").asInt();
    }

    @AfterEach
    void stopAll() {
        worlds.forEach(world -> world.stop().request());
        // or they would write where the directory is removed
        exits.forEach(exit -> assertThat(exit).succeedsWithin(PATIENCE));
        worlds.forEach(TestEnvironment::close);
    }

    private TestEnvironment world() {
        TestEnvironment world = new TestEnvironment(home);
        worlds.add(world);
        return world;
    }

    private CompletableFuture<Integer> start(TestEnvironment world, String... arguments) {
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> world.run(arguments), command -> {
            Thread thread = new Thread(command, "test-command");
            thread.setDaemon(true);
            thread.start();
        });
        exits.add(exit);
        return exit;
    }

    private TestEnvironment run(int exit, String... arguments) {
        TestEnvironment world = new TestEnvironment(home, "", Map.of());
        assertThat(world.run(arguments)).as(String.join("\n", world.err())).isEqualTo(exit);
        world.close();
        return world;
    }

    private String path(String name) {
        return home.resolve(name).toString();
    }

    private static JsonNode json(String line) throws IOException {
        return new JsonMapper().readTree(line);
    }

    /** Publishes so many files from data directory p to a subscription served from data directory s. */
    private void deliver(int files) throws IOException {
        TestEnvironment subscriber = world();
        CompletableFuture<Integer> ended = start(
                subscriber,
                "subscribe",
                "t",
                "--name",
                "sub",
                "--into",
                path("in"),
                "--data",
                path("s"),
                "--broker",
                broker,
                "--count",
                "" + files,
                "--json");
        await().atMost(PATIENCE).until(() -> !subscriber.out().isEmpty());
        List<String> publish = new ArrayList<>(List.of("publish"));
        for (int i = 0; i < files; i++) {
            publish.add(Files.write(home.resolve("file " + i), new byte[100_000 + i])
                    .toString());
        }
        publish.addAll(List.of("--topic", "t", "--broker", broker, "--data", path("p"), "--wait", "1", "--json"));
        run(0, publish.toArray(String[]::new));
        assertThat(ended.join()).isZero();
    }

    private void assertShown(int count, String... filter) {
        for (String side : List.of("p", "s")) {
            List<String> arguments = new ArrayList<>(List.of("receipts", "--data", path(side), "--json"));
            arguments.addAll(List.of(filter));
            assertThat(run(0, arguments.toArray(String[]::new)).out())
                    .as(String.join(" ", arguments))
                    .hasSize(count);
        }
    }

    @Test
    void shouldShowWhoWhatWhenAndTheSignatureOnBothSides() throws IOException {
        // when
        deliver(2);

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("s/receipt-key.pem"))))
                .isEqualTo("rw-------");
        assertThat(home.resolve("p/receipt-key.pem")).doesNotExist();
        List<String> given =
                run(0, "receipts", "--data", path("s"), "--verify", "--json").out();
        List<String> taken =
                run(0, "receipts", "--data", path("p"), "--verify", "--json").out();
        assertThat(given).hasSize(2);
        assertThat(taken).hasSize(2);
        JsonNode first = json(given.get(0));
        assertThat(first.path("name").asText()).isIn("file 0", "file 1");
        assertShown(1, "--name", "file 1", "--topic", "t", "--subscription", "sub", "--since", "1h");
        assertShown(2, "--name", "file*", "--until", "0s");
        assertShown(1, "--transfer", first.path("transfer").asText());
        assertShown(0, "--topic", "other");
        assertShown(0, "--subscription", "other");
        assertShown(0, "--until", "1h");
        assertShown(0, "--since", "2100-01-01");
        assertThat(first.path("sequence").asLong()).isEqualTo(1);
        assertThat(first.path("signature").asText()).isEqualTo("valid");
        assertThat(first.path("keyFingerprint").asText()).hasSize(16);
        assertThat(first.path("subscription").asText()).isEqualTo("sub");
        assertThat(first.path("at").asLong()).isPositive();
        assertThat(json(taken.get(0)).path("keyFingerprint")).isEqualTo(first.path("keyFingerprint"));
        assertThat(run(0, "receipts", "--data", path("p")).out())
                .allMatch(line -> line.contains("signature valid")
                        && line.contains("key " + first.path("keyFingerprint").asText())
                        && line.contains("of topic t, agent "));
    }

    @Test
    void shouldExitWith5AndNameTheReceiptWhenAByteOfALedgersReceiptIsFlipped() throws IOException {
        // given
        deliver(2);
        String second = json(run(0, "receipts", "--data", path("s"), "--json")
                        .out()
                        .get(1))
                .path("transfer")
                .asText();

        // when
        for (String side : List.of("s", "p")) {
            LedgerVandal.run(
                    home.resolve(side),
                    "UPDATE receipt SET receipt = REPLACE(receipt, '\"digest\":\"', '\"digest\":\"0') WHERE transfer_id = '"
                            + second + "'");
        }

        // then
        for (String side : List.of("s", "p")) {
            assertThat(run(5, "receipts", "--data", path(side), "--verify").err())
                    .anyMatch(line -> line.contains(second) && line.contains("expected"))
                    .last()
                    .asString()
                    .contains("not hold");
        }
    }

    @Test
    void shouldExitWith5WhenAFieldOfALedgersReceiptIsChanged() throws IOException {
        // given
        deliver(1);

        // when
        for (String side : List.of("s", "p")) {
            LedgerVandal.run(
                    home.resolve(side), "UPDATE receipt SET receipt = REPLACE(receipt, 'DELIVERED', 'SUPERSEDED')");
        }

        // then
        for (String side : List.of("s", "p")) {
            assertThat(run(0, "receipts", "--data", path(side)).out())
                    .singleElement()
                    .asString()
                    .contains("signature wrong");
            assertThat(run(5, "receipts", "--data", path(side), "--verify").err())
                    .anyMatch(line -> line.contains("signature: expected one of key "));
        }
    }

    @Test
    void shouldMissTheReceiptsThatAreGone() throws IOException {
        // given
        deliver(2);

        // when
        LedgerVandal.run(home.resolve("s"), "DELETE FROM receipt WHERE chain_number = 2");

        // then
        TestEnvironment verified = run(5, "receipts", "--data", path("s"), "--verify", "--json");
        assertThat(verified.err()).anyMatch(line -> line.contains("expected its end at number 2, found it at 1"));
        assertThat(verified.out()).anyMatch(line -> line.contains("\"event\":\"receipt-fault\""));
    }

    @Test
    void shouldMissAReceiptWhenItsSuccessorIsNotAmongThoseShown() throws IOException {
        // given
        deliver(3);
        List<String> given = run(0, "receipts", "--data", path("s"), "--json").out();

        // when
        LedgerVandal.run(home.resolve("s"), "DELETE FROM receipt WHERE chain_number = 2");

        // then
        String shown = json(given.get(0)).path("transfer").asText();
        String successor = json(given.get(2)).path("transfer").asText();
        TestEnvironment verified = run(5, "receipts", "--data", path("s"), "--transfer", shown, "--verify", "--json");
        assertThat(verified.out())
                .hasSize(2)
                .anyMatch(line -> line.contains("\"event\":\"receipt-fault\"") && line.contains(successor));
        assertThat(verified.err())
                .anyMatch(line -> line.contains(successor) && line.contains("expected 2 after 1, found 3"));
        assertThat(run(0, "receipts", "--data", path("s"), "--transfer", shown, "--json")
                        .out())
                .singleElement()
                .isEqualTo(given.get(0));
    }

    @Test
    void shouldRefuseToSubscribeWhenTheKeyIsEverybodysOrDamaged() throws IOException {
        // given
        deliver(1);
        Path key = home.resolve("s/receipt-key.pem");
        String[] subscribe = {
            "subscribe", "t", "--name", "sub", "--into", path("in"), "--data", path("s"), "--broker", broker
        };

        // when
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        // then
        assertThat(run(7, subscribe).err())
                .anyMatch(line -> line.contains(key.toString()) && line.contains("chmod 600"));

        // and
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(key, "damaged");
        assertThat(run(5, subscribe).err()).anyMatch(line -> line.contains(key.toString()) && line.contains("damaged"));
    }

    @Test
    void shouldMarkAnotherKeyUntilItIsTrusted() throws IOException {
        // given
        deliver(1);
        Files.delete(home.resolve("s/receipt-key.pem"));
        Files.delete(home.resolve("in/file 0"));
        deliver(1);
        List<String> taken = run(0, "receipts", "--data", path("p"), "--json").out();
        JsonNode marked = json(taken.get(1));
        assertThat(marked.path("signature").asText()).isEqualTo("other-key");
        String fingerprint = marked.path("keyFingerprint").asText();
        assertThat(run(5, "receipts", "--data", path("p"), "--verify").err())
                .anyMatch(line -> line.contains("found one of key " + fingerprint));
        run(0, "receipts", "--data", path("s"), "--verify");

        // when
        run(7, "receipts", "--data", path("p"), "--trust", "0123456789abcdef");
        run(0, "receipts", "--data", path("p"), "--trust", fingerprint);

        // then
        run(0, "receipts", "--data", path("p"), "--verify");
    }
}
