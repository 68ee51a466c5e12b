package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of {@code longhaul broker} as its options and its configuration file ask for them. */
final class BrokerMetricsIT {
    @TempDir
    private Path home;

    private TestEnvironment world;

    @BeforeEach
    void prepare() {
        world = new TestEnvironment(home);
    }

    @AfterEach
    void close() {
        world.stop().request();
        world.close();
    }

    private String data() {
        return home.resolve("b").toString();
    }

    private static HttpResponse<String> get(String place, String path) throws Exception {
        URI uri = URI.create("http://" + place + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldSayWhereMetricsAreAndServeThemWhenFileAsksForThem() throws Exception {
        // given
        Path config = Files.writeString(
                home.resolve("b.yaml"),
                "name: b\ndata: " + data() + "\nlisten: 127.0.0.1:0\nmetrics: 127.0.0.1:0\njson: true\n");

        // when
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        Thread broker = new Thread(() -> exit.complete(world.run("broker", "--config", config.toString())));
        broker.setDaemon(true);
        broker.start();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> exit.isDone() || !world.out().isEmpty());
        JsonNode ready = new JsonMapper().readTree(world.out().get(0));

        // then
        String place = ready.path("metrics").asText();
        assertThat(place)
                .matches("127\\.0\\.0\\.1:[1-9][0-9]*")
                .isNotEqualTo(ready.path("listen").path(0).asText());
        assertThat(get(place, "/ready").body()).isEqualTo("{\"broker\":\"b\",\"state\":\"ready\"}\n");
        assertThat(get(place, "/metrics").body()).contains("longhaul_running{broker=\"b\"} 1.0");
        assertThat(world.err()).anyMatch(line -> line.contains("metrics on http://" + place + "/metrics"));

        // when
        world.stop().request();

        // then
        assertThat(exit.join()).isZero();
        broker.join();
    }

    @Test
    void shouldRefuseAndLeaveNothingOnDiskWhenPortIsTaken() throws IOException {
        // given
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String place = "127.0.0.1:" + other.getLocalPort();

            // when
            int exit =
                    world.run("broker", "--name", "b", "--data", data(), "--listen", "127.0.0.1:0", "--metrics", place);

            // then
            assertThat(exit).isEqualTo(ExitCodes.REFUSED);
            assertThat(world.err()).singleElement().asString().contains("metrics " + place);
            assertThat(home.resolve("b")).doesNotExist();
        }
    }
}
