package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.metrics.MetricsConfig;
import io.longhaul.broker.metrics.MetricsEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int BODY = 100_000;

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path data;

    private BrokerConfig config() {
        return BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0");
    }

    private HttpResponse<String> get(MetricsEndpoint endpoint, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private double metric(MetricsEndpoint endpoint, String name) throws Exception {
        HttpResponse<String> answer = get(endpoint, "/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        return answer.body()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is missing in " + answer.body()));
    }

    private void assertSent(MetricsEndpoint endpoint, Broker broker) throws Exception {
        assertThat(metric(endpoint, "longhaul_running")).isOne();
        assertThat(metric(endpoint, "longhaul_taken_frames_total")).isEqualTo(5);
        assertThat(metric(endpoint, "longhaul_taken_bytes_total"))
                .isBetween(5.0 * BODY, 5.0 * BODY + 5 * 1000)
                .isEqualTo(broker.snapshot().bytes());
        assertThat(metric(endpoint, "longhaul_refused_frames_total")).isOne();
        assertThat(metric(endpoint, "longhaul_subscriptions")).isOne();
        assertThat(metric(endpoint, "longhaul_subscription_backlog_frames")).isEqualTo(5);
        assertThat(metric(endpoint, "longhaul_subscription_backlog_bytes")).isGreaterThan(5.0 * BODY);
        assertThat(metric(endpoint, "longhaul_subscription_connected")).isZero();
        assertThat(metric(endpoint, "longhaul_intake_paused")).isZero();
    }

    @Test
    void shouldTellWhatWasSentWhenBrokerIsAsked() throws Exception {
        // given
        try (MetricsEndpoint endpoint = MetricsEndpoint.open(MetricsConfig.of("127.0.0.1", 0), config());
                Broker broker = Broker.launch(config());
                Client client = Client.connect(broker.corePort()).subscription("t", "s")) {
            endpoint.watch(broker);

            // when
            for (int i = 0; i < 5; i++) {
                client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, i, new byte[BODY]));
            }
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 4, new byte[BODY])); // again
            assertThatThrownBy(() ->
                            client.sendAndWait("lh.topic.nobody", client.message("piece", TRANSFER, 0, new byte[BODY])))
                    .isNotNull();

            // then
            await().untilAsserted(() -> assertSent(endpoint, broker));
            assertThat(metric(endpoint, "longhaul_disk_free_bytes"))
                    .isGreaterThan(metric(endpoint, "longhaul_disk_floor_bytes"));
            assertThat(metric(endpoint, "longhaul_jvm_direct_used_bytes")).isPositive();
            assertThat(metric(endpoint, "longhaul_process_cpu_seconds_total")).isPositive();

            // when
            try (ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {
                Client.next(consumer).acknowledge();
                Client.next(consumer).acknowledge();
                client.session.commit();

                // then
                await().untilAsserted(() -> {
                    assertThat(metric(endpoint, "longhaul_subscription_connected"))
                            .isOne();
                    assertThat(metric(endpoint, "longhaul_subscription_finished_frames_total"))
                            .isEqualTo(2);
                    assertThat(metric(endpoint, "longhaul_subscription_backlog_frames"))
                            .isEqualTo(3);
                });
            }
        }
    }

    @Test
    void shouldTellStartingRunningAndStoppedApartWhenHealthIsAsked() throws Exception {
        // given
        try (MetricsEndpoint endpoint = MetricsEndpoint.open(MetricsConfig.of("127.0.0.1", 0), config())) {
            // then
            assertThat(get(endpoint, "/health").statusCode()).isEqualTo(503);
            assertThat(get(endpoint, "/ready").body()).contains("starting");
            assertThat(metric(endpoint, "longhaul_running")).isZero();

            // when
            try (Broker broker = Broker.launch(config())) {
                endpoint.watch(broker);

                // then
                assertThat(get(endpoint, "/health").statusCode()).isEqualTo(200);
                assertThat(get(endpoint, "/ready").statusCode()).isEqualTo(200);
                assertThat(get(endpoint, "/other").statusCode()).isEqualTo(404);
            }

            // then
            assertThat(get(endpoint, "/health").statusCode()).isEqualTo(503);
            assertThat(get(endpoint, "/ready").body()).contains("failed", data.toString());
            assertThat(metric(endpoint, "longhaul_running")).isZero();
        }
    }

    @Test
    void shouldAnswerAgainWhenStrangersHeldAllConnections() throws Exception {
        // given
        List<Socket> strangers = new ArrayList<>();
        try (MetricsEndpoint endpoint = MetricsEndpoint.open(MetricsConfig.of("127.0.0.1", 0), config())) {
            for (int i = 0; i < 40; i++) {
                strangers.add(new Socket("127.0.0.1", endpoint.port()));
            }

            // when then
            assertThatThrownBy(() -> get(endpoint, "/health")).isInstanceOf(IOException.class);

            // then
            await().ignoreExceptions().until(() -> get(endpoint, "/health").statusCode() == 503);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void shouldSayWhereWhenPortIsTaken() throws Exception {
        // given
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            MetricsConfig taken = MetricsConfig.of("127.0.0.1", other.getLocalPort());

            // when then
            assertThatThrownBy(() -> MetricsEndpoint.open(taken, config()))
                    .isInstanceOfSatisfying(
                            BrokerException.class,
                            e -> assertThat(e.code()).isEqualTo(BrokerException.Code.CANNOT_LISTEN))
                    .hasMessageContaining("metrics 127.0.0.1:" + other.getLocalPort());
        }
    }
}
