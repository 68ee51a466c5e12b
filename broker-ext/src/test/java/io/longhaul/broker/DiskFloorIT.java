package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.broker.metrics.MetricsConfig;
import io.longhaul.broker.metrics.MetricsEndpoint;
import io.longhaul.wire.Refusals;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs a small file system of its own; skipped, and said so, where this user may not mount one. */
class DiskFloorIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int MIB = 1024 * 1024;
    private static final long DISK_MIB = 740;

    @TempDir
    Path directory;

    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", disk.toString()) == 0,
                "DiskFloorIT is skipped: this user may not mount a tmpfs");
    }

    @AfterEach
    void unmount() throws Exception {
        // Lazily: the system may still be busy with files that the broker has just closed.
        run("umount", "-l", disk.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    private Path fill(long leaveMib) throws IOException {
        Path filler = disk.resolve("filler");
        long bytes = Files.getFileStore(disk).getUsableSpace() - leaveMib * MIB;
        try (RandomAccessFile file = new RandomAccessFile(filler.toFile(), "rw")) {
            byte[] block = new byte[MIB];
            for (long written = 0; written < bytes; written += MIB) {
                file.write(block);
            }
        }
        return filler;
    }

    private BrokerConfig config() {
        return BrokerConfig.of("one", disk.resolve("data"))
                .withListenCoreOnly("127.0.0.1:0")
                .withDiskFloor(100 * MIB);
    }

    private static HttpResponse<String> ready(MetricsEndpoint endpoint) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + "/ready");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldRefuseAtTheFloorAndGoOnWhenSpaceReturns() throws Exception {
        // given
        try (Broker broker = Broker.launch(config());
                MetricsEndpoint endpoint = MetricsEndpoint.open(MetricsConfig.of("127.0.0.1", 0), config());
                Client client = Client.connect(broker.corePort()).subscription("t", "s");
                Client subscriber = Client.connect(broker.corePort());
                ClientConsumer consumer = subscriber.session.createConsumer("lh.sub.t@s")) {
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 0, new byte[MIB]));
            endpoint.watch(broker);
            assertThat(ready(endpoint).statusCode()).isEqualTo(200);

            // when
            Path filler = fill(90);

            // then
            await().until(() -> broker.snapshot().paused());
            assertThatThrownBy(
                            () -> client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 1, new byte[MIB])))
                    .satisfies(e -> assertThat(Refusals.detail(Refusals.NO_SPACE, e.getCause())
                                    .orElse(""))
                            .contains(disk.toString())
                            .contains("needed " + 100 * MIB)
                            .contains("found "));
            assertThat(ready(endpoint).statusCode()).isEqualTo(503);
            assertThat(ready(endpoint).body())
                    .contains("\"path\":\"" + disk.resolve("data"), "\"needed\":" + 100 * MIB, "\"free\":");
            ClientMessage first = Client.next(consumer);
            first.acknowledge();
            subscriber.session.commit();

            // when
            Files.delete(filler);

            // then
            await().until(() -> !broker.snapshot().paused());
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 1, new byte[MIB]));
            assertThat(Client.next(consumer).getLongProperty("lh_index")).isEqualTo(1);
        }
    }

    @Test
    void shouldStopBeforeTheDiskIsFullWhenNobodyConsumes() throws Exception {
        // given
        int accepted = 0;
        try (Broker broker = Broker.launch(config());
                Client client = Client.connect(broker.corePort()).subscription("t", "s")) {

            // when
            Throwable refusal = null;
            while (refusal == null) {
                try {
                    client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, accepted, new byte[4 * MIB]));
                    accepted++;
                } catch (Exception e) {
                    refusal = e.getCause();
                }
            }

            // then
            assertThat(Refusals.says(Refusals.NO_SPACE, refusal)).isTrue();
            assertThat(broker.isRunning()).isTrue();
            assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(0);
        }

        // then
        try (Broker broker = Broker.launch(config());
                Client client = Client.connect(broker.corePort());
                ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {
            for (int i = 0; i < accepted; i++) {
                ClientMessage message = Client.next(consumer);
                assertThat(message.getLongProperty("lh_index")).isEqualTo(i);
                message.acknowledge();
            }
        }
    }

    @Test
    void shouldRefuseToStartWhenTheDiskIsTooSmall() throws Exception {
        // given
        fill(150);

        // when then
        assertThatThrownBy(() -> Broker.launch(config()))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.NO_SPACE))
                .hasMessageContaining(disk.toString())
                .hasMessageContaining("needed")
                .hasMessageContaining("free");
    }
}
