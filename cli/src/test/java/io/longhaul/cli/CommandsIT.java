package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.cli.state.ControlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against each other, each on a thread of this process. */
final class CommandsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A command that runs until it is stopped. */
    private record Service(TestEnvironment world, CompletableFuture<Integer> exit) implements AutoCloseable {
        Service awaitReady() {
            await().atMost(PATIENCE).until(() -> exit.isDone() || hasEvent("ready"));
            assertThat(world.out()).as(world.err().toString()).anyMatch(line -> line.contains("\"event\":\"ready\""));
            return this;
        }

        boolean hasEvent(String event) {
            return world.out().stream().anyMatch(line -> line.contains("\"event\":\"" + event + "\""));
        }

        int stop() {
            world.stop().request();
            return exit.join();
        }

        @Override
        public void close() {
            stop();
            world.close();
        }
    }

    @TempDir
    private Path home;

    private final List<Service> services = new ArrayList<>();
    private String broker = "";
    private Path source = Path.of("");

    @BeforeEach
    void startBroker() throws IOException {
        Service service = serve("broker", "--name", "b", "--data", path("b"), "--listen", "127.0.0.1:0", "--json")
                .awaitReady();
        broker = "127.0.0.1:" + json(service.world().out().get(0)).path("port").asInt();
        source = Files.write(home.resolve("source file"), new byte[2_500_000]);
    }

    @AfterEach
    void stopAll() {
        for (int i = services.size() - 1; i >= 0; i--) {
            services.get(i).close();
        }
    }

    private Service serve(String... arguments) {
        TestEnvironment world = new TestEnvironment(home);
        Service service = new Service(world, CompletableFuture.supplyAsync(() -> world.run(arguments), Runner::run));
        services.add(service);
        return service;
    }

    /** One thread for each command, because they block. */
    private static final class Runner {
        static void run(Runnable command) {
            Thread thread = new Thread(command, "test-command");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private TestEnvironment run(int exit, String... arguments) {
        TestEnvironment world = new TestEnvironment(home, "from standard input", Map.of());
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

    private Service subscriber(String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "subscribe",
                "t",
                "--name",
                name,
                "--into",
                path(name + "-in"),
                "--data",
                path(name),
                "--broker",
                broker,
                "--json"));
        arguments.addAll(List.of(more));
        return serve(arguments.toArray(String[]::new));
    }

    /** Publishes until the broker has all pieces, stops the command before its receipt, and returns what it said. */
    private JsonNode publishUntilSafe(String name, String... command) throws IOException {
        Service publisher = serve(command);
        await().atMost(PATIENCE).until(() -> publisher.exit().isDone() || isSafe(name));
        assertThat(publisher.stop())
                .as(String.join("\n", publisher.world().err()))
                .isEqualTo(6);
        return json(publisher.world().out().get(0));
    }

    /** Asks the process itself: whoever opens its ledger instead keeps it from doing so. */
    private boolean isSafe(String name) {
        return ControlClient.ask(home.resolve("p"), "transfers", Optional.empty()).stream()
                .flatMap(List::stream)
                .anyMatch(transfer -> transfer.path("name").asText().equals(name)
                        && transfer.path("safePieces").asInt() == 3);
    }

    @Test
    void shouldDeliverAndListWhenFileIsPublished() throws IOException {
        // given
        Service subscriber = subscriber("s", "--count", "1").awaitReady();

        // when
        TestEnvironment publisher = run(
                0,
                "publish",
                source.toString(),
                "--topic",
                "t",
                "--broker",
                broker,
                "--data",
                path("p"),
                "--wait",
                "1",
                "--json");

        // then
        assertThat(subscriber.exit().join()).isZero();
        assertThat(home.resolve("s-in/source file")).hasSameBinaryContentAs(source);
        JsonNode published = json(publisher.out().get(0));
        assertThat(published.path("event").asText()).isEqualTo("published");
        assertThat(published.path("pieces").asInt()).isEqualTo(3);
        assertThat(json(publisher.out().get(1)).path("outcome").asText()).isEqualTo("delivered");
        JsonNode received = json(run(0, "transfers", "--data", path("s"), "--verify", "--json")
                .out()
                .get(0));
        assertThat(received.path("transfer")).isEqualTo(published.path("transfer"));
        assertThat(received.path("verified").asText()).isEqualTo("intact");
        assertThat(received.path("detail").path("seconds").size()).isPositive();
        assertThat(json(run(0, "receipts", "--data", path("p"), "--json").out().get(0))
                        .path("subscription")
                        .asText())
                .isEqualTo("s");

        // and
        Files.write(home.resolve("s-in/source file"), new byte[] {1});
        run(5, "transfers", "--data", path("s"), "--verify");
    }

    @Test
    void shouldLeaveNothingWhenPublicationIsRefused() {
        // when
        TestEnvironment publisher =
                run(7, "publish", source.toString(), "--topic", "t", "--broker", broker, "--data", path("x/p"));

        // then
        assertThat(publisher.err()).singleElement().asString().contains("t");
        assertThat(home.resolve("x")).doesNotExist();
    }

    @Test
    void shouldGoOnWhenSameCommandIsGivenAgain() throws IOException {
        // given
        Service subscriber = subscriber("s").awaitReady();
        String[] command = {
            "publish",
            source.toString(),
            "--topic",
            "t",
            "--broker",
            broker,
            "--data",
            path("p"),
            "--wait",
            "1",
            "--timeout",
            "60s",
            "--json"
        };
        assertThat(subscriber.stop()).isZero();
        JsonNode first = publishUntilSafe("source file", command);

        // when
        subscriber("s").awaitReady();
        TestEnvironment second = run(0, command);

        // then
        assertThat(first.path("event").asText()).isEqualTo("unfinished");
        assertThat(json(second.out().get(0)).path("transfer")).isEqualTo(first.path("transfer"));
    }

    @Test
    void shouldCancelAndResumeByName() throws IOException {
        // given
        assertThat(subscriber("s").awaitReady().stop()).isZero();
        List<String> ids = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            JsonNode unfinished = publishUntilSafe(
                    name,
                    "publish",
                    source.toString(),
                    "--name",
                    name,
                    "--topic",
                    "t",
                    "--broker",
                    broker,
                    "--data",
                    path("p"),
                    "--wait",
                    "1",
                    "--json");
            ids.add(unfinished.path("transfer").asText());
        }

        // when
        run(0, "cancel", ids.get(0), "--data", path("p"));
        Service subscriber = subscriber("s").awaitReady();
        run(0, "resume", ids.get(1), "--data", path("p"), "--timeout", "60s");

        // then
        await().atMost(PATIENCE).until(() -> subscriber.hasEvent("delivered"));
        assertThat(home.resolve("s-in/two")).hasSameBinaryContentAs(source);
        assertThat(home.resolve("s-in/one")).doesNotExist();
        assertThat(run(7, "resume", ids.get(0), "--data", path("p")).err().get(0))
                .contains("cancelled");
        assertThat(run(7, "cancel", ids.get(1), "--data", path("p")).err().get(0))
                .contains("completed");
    }

    @Test
    void shouldWatchAndArchiveWhenAgentRuns() throws IOException {
        // given
        Files.createDirectories(home.resolve("out/sub"));
        Service archive =
                serve("agent", "--name", "ar", "--data", path("ar"), "--broker", broker, "--archive", "t", "--json");
        archive.awaitReady();
        Service agent = serve(
                "agent",
                "--name",
                "a",
                "--data",
                path("a"),
                "--broker",
                broker,
                "--subscribe",
                "t=" + path("in"),
                "--watch",
                path("out") + "=t",
                "--scan-interval",
                "50ms",
                "--json");
        agent.awaitReady();

        // when: whole at once, since a copy that pauses looks as if it had ended
        Files.move(Files.copy(source, home.resolve("copy")), home.resolve("out/sub/file"));

        // then
        await().atMost(PATIENCE).until(() -> agent.hasEvent("delivered") && archive.hasEvent("delivered"));
        assertThat(home.resolve("in/sub/file")).hasSameBinaryContentAs(source);
        assertThat(run(0, "transfers", "--data", path("a"), "--json").out()).hasSize(2);
        assertThat(agent.stop()).isZero();
        assertThat(archive.stop()).isZero();
    }

    @Test
    void shouldSpoolWhenStandardInputIsPublished() throws IOException {
        // given
        Service subscriber = subscriber("s", "--count", "1").awaitReady();

        // when
        TestEnvironment publisher = run(
                0, "publish", "-", "--name", "in", "--topic", "t", "--broker", broker, "--data", path("p"), "--json");

        // then
        assertThat(subscriber.exit().join()).isZero();
        assertThat(home.resolve("s-in/in")).hasContent("from standard input");
        assertThat(publisher.out()).anyMatch(line -> line.contains("\"event\":\"spooled\""));
    }

    @Test
    void shouldRefuseWhenSubscriptionHasEnded() {
        // given
        assertThat(subscriber("s").awaitReady().stop()).isZero();

        // when
        run(0, "unsubscribe", "t", "--name", "s", "--data", path("s"), "--broker", broker);

        // then
        run(7, "publish", source.toString(), "--topic", "t", "--broker", broker, "--data", path("p"));
    }

    @Test
    void shouldLeaveNoSubscriptionWhenDirectoryCannotBeUsed() {
        // when
        run(2, "subscribe", "t", "--name", "s", "--into", source.toString(), "--broker", broker, "--data", path("s"));
        run(
                2,
                "agent",
                "--name",
                "a",
                "--data",
                path("a"),
                "--broker",
                broker,
                "--subscribe",
                "t=" + path("in"),
                "--subscribe",
                "u=" + source);

        // then
        assertThat(List.of("s", "a", "in")).noneMatch(made -> Files.exists(home.resolve(made)));
        run(7, "publish", source.toString(), "--topic", "t", "--broker", broker, "--data", path("p"));
    }

    @Test
    void shouldKeepSubscriptionWhenItWasThereBeforeFailure() {
        // given
        assertThat(subscriber("s").awaitReady().stop()).isZero();

        // when
        run(2, "subscribe", "t", "--name", "s", "--into", source.toString(), "--broker", broker, "--data", path("s"));

        // then
        run(0, "publish", source.toString(), "--topic", "t", "--broker", broker, "--data", path("p"));
    }

    @Test
    void shouldSayUnreachableWhenNoBrokerAnswers() {
        // when
        TestEnvironment publisher = run(
                3,
                "publish",
                source.toString(),
                "--topic",
                "t",
                "--broker",
                "127.0.0.1:1",
                "--data",
                path("p"),
                "--timeout",
                "1s");

        // then
        assertThat(publisher.err()).singleElement().asString().contains("127.0.0.1:1");
        assertThat(home.resolve("p")).doesNotExist();
    }

    @Test
    void shouldFindBrokerWhenDoctorLooks() {
        // when
        TestEnvironment doctor =
                run(0, "doctor", "--data", path("d"), "--broker", broker, "--listen", "127.0.0.1:0", "--json");

        // then
        assertThat(doctor.out()).anyMatch(line -> line.contains("\"check\":\"broker\",\"state\":\"ok\""));
        assertThat(doctor.out()).anyMatch(line -> line.contains("\"check\":\"network\",\"state\":\"ok\""));
        assertThat(run(4, "doctor", "--data", path("d"), "--broker", "127.0.0.1:1")
                        .out())
                .anyMatch(line -> line.startsWith("failed"));
    }
}
