package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server and clients of {@code ptcp-perf}, each on a thread of this process. */
final class PtcpPerfCommandIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private TestEnvironment server;
    private CompletableFuture<Integer> serverExit;
    private String place = "";

    @BeforeEach
    void startServer() throws IOException {
        server = new TestEnvironment(home);
        serverExit = new CompletableFuture<>();
        background(() -> serverExit.complete(server.run("ptcp-perf", "server", "--listen", "127.0.0.1:0", "--json")));
        await().atMost(PATIENCE).until(() -> !events(server, "ready").isEmpty());
        place = events(server, "ready").get(0).path("listen").asText();
    }

    @AfterEach
    void stopServer() {
        server.stop().request();
        assertThat(serverExit.join()).isZero();
        server.close();
    }

    private static void background(Runnable task) {
        Thread thread = new Thread(task, "test-command");
        thread.setDaemon(true);
        thread.start();
    }

    private TestEnvironment client(int exit, String where, String... more) {
        List<String> arguments = new ArrayList<>(List.of("ptcp-perf", "client", where));
        arguments.addAll(List.of(more));
        try (TestEnvironment client = new TestEnvironment(home)) {
            assertThat(client.run(arguments.toArray(String[]::new)))
                    .as(String.join("\n", client.err()))
                    .isEqualTo(exit);
            return client;
        }
    }

    private static List<JsonNode> events(TestEnvironment world, String event) throws IOException {
        List<JsonNode> found = new ArrayList<>();
        for (String line : world.out()) {
            JsonNode node = new JsonMapper().readTree(line);
            if (node.path("event").asText().equals(event)) {
                found.add(node);
            }
        }
        return found;
    }

    private static JsonNode result(TestEnvironment world) throws IOException {
        assertThat(events(world, "result")).hasSize(1);
        return events(world, "result").get(0);
    }

    @Test
    void shouldTellTheSameAtBothEndsWhenBytesAreSent() throws IOException {
        // when
        TestEnvironment client = client(0, place, "--bytes", "3MiB", "--streams", "2", "--json");

        // then
        JsonNode result = result(client);
        assertThat(result.path("bytes").asLong()).isEqualTo(3L << 20);
        assertThat(result.path("reverse").asBoolean()).isFalse();
        assertThat(result.path("seconds").asDouble()).isPositive();
        assertThat(result.path("bitsPerSecond").asLong()).isPositive();
        assertThat(result.path("streamsLost").asInt()).isZero();
        assertThat(result.path("cpuSeconds").has("client")).isTrue();
        assertThat(result.path("cpuSeconds").has("server")).isTrue();
        await().atMost(PATIENCE).until(() -> !events(server, "result").isEmpty());
        assertThat(result(server).path("bytes")).isEqualTo(result.path("bytes"));
        assertThat(result(server).path("seconds")).isEqualTo(result.path("seconds"));
    }

    @Test
    void shouldPrintIntervalsWhenTimeIsGiven() throws IOException {
        // when
        TestEnvironment client = client(0, place, "--seconds", "2s", "--interval", "500ms", "--json");

        // then
        assertThat(result(client).path("seconds").asDouble()).isBetween(0.0, 2.0);
        List<JsonNode> intervals = events(client, "interval");
        assertThat(intervals).isNotEmpty();
        assertThat(intervals.get(0).path("startSeconds").asDouble()).isZero();
        assertThat(intervals.stream()
                        .mapToLong(interval -> interval.path("bytes").asLong())
                        .sum())
                .isPositive();
    }

    @Test
    void shouldSayWhyAServerOfMeasurementsIsNoBroker() throws IOException {
        // given
        Path source = Files.writeString(home.resolve("f"), "content");

        // when
        try (TestEnvironment publisher = new TestEnvironment(home)) {
            int exit = publisher.run(
                    "publish", source.toString(), "--topic", "t", "--broker", place, "--connect-timeout", "1s");

            // then
            assertThat(exit).isEqualTo(3);
            assertThat(publisher.err())
                    .singleElement()
                    .asString()
                    .contains("broker " + place
                            + ": cannot connect: the other end aborted the session: bytes that are no");
        }
    }

    @Test
    void shouldReceiveWhenTestIsInReverse() throws IOException {
        // when
        TestEnvironment client = client(0, place, "--bytes", "3MiB", "--reverse", "--streams", "2", "--json");

        // then
        assertThat(result(client).path("bytes").asLong()).isEqualTo(3L << 20);
        assertThat(result(client).path("reverse").asBoolean()).isTrue();
        assertThat(result(client).path("streams").isEmpty()).isFalse();
    }

    @Test
    void shouldPrintTextWhenPeopleRead() {
        // when
        TestEnvironment client = client(0, place, "--bytes", "1MiB", "--streams", "1");

        // then
        assertThat(client.out()).anyMatch(line -> line.startsWith(place + ": 1.0 MiB received in "));
        assertThat(client.out()).anyMatch(line -> line.contains("stream ") && line.endsWith("100.0 %"));
        assertThat(client.err()).isEmpty();
    }

    @Test
    void shouldSayUnreachableWhenNobodyListens() {
        // when
        TestEnvironment client = client(3, "127.0.0.1:1", "--seconds", "1s");

        // then
        assertThat(client.out()).isEmpty();
        assertThat(client.err())
                .containsExactly("longhaul ptcp-perf client: 127.0.0.1:1: connection refused;"
                        + " is 'longhaul ptcp-perf server' running there?");
    }

    @Test
    void shouldNameTheProxyWhenNobodyListensThere() {
        // when
        TestEnvironment client = client(3, place, "--bytes", "1", "--proxy", "http://127.0.0.1:1");

        // then
        assertThat(client.err())
                .singleElement()
                .asString()
                .contains(place + ": proxy 127.0.0.1:1: cannot connect: ")
                .doesNotContain("is 'longhaul ptcp-perf server' running there?");
    }

    @Test
    void shouldSayWhoAnswersWhenItIsSomethingElse() throws IOException {
        // given
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            background(() -> {
                try (Socket accepted = other.accept()) {
                    accepted.getOutputStream().write("SSH-2.0-other\r\n".getBytes(StandardCharsets.US_ASCII));
                    accepted.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // the client's view is asserted
                }
            });

            // when
            TestEnvironment client = client(3, "127.0.0.1:" + other.getLocalPort(), "--seconds", "1s");

            // then
            assertThat(client.err()).singleElement().asString().contains("does not speak parallel TCP");
        }
    }

    @Test
    void shouldGoOnWhenStrangerSpeaksSomethingElse() throws IOException {
        // given
        try (Socket stranger = new Socket("127.0.0.1", Integer.parseInt(place.substring(place.indexOf(':') + 1)))) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            // when
            await().atMost(PATIENCE).until(() -> !events(server, "failed").isEmpty());
        }

        // then
        assertThat(events(server, "failed").get(0).path("reason").asText()).contains("bytes that are no greeting");
        client(0, place, "--bytes", "1MiB");
    }

    @Test
    void shouldRefuseWhenPortIsTaken() {
        try (TestEnvironment second = new TestEnvironment(home)) {
            assertThat(second.run("ptcp-perf", "server", "--listen", place)).isEqualTo(7);
            assertThat(second.err()).singleElement().asString().contains("cannot listen on " + place);
        }
    }
}
