package io.longhaul.ptcp.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.net.PtcpServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tests over loopback, and what happens when the other end is none. */
final class PtcpPerfIT {
    private static final PtcpConfig CONFIG = PtcpConfig.defaults().withStreams(2);

    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
    private final PerfMachine machine = new PerfMachine(System::nanoTime, System::nanoTime, timers);
    private final CompletableFuture<PerfResult> tested = new CompletableFuture<>();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private final CompletableFuture<String> who = new CompletableFuture<>();

    private PerfServer serve() {
        return serve("127.0.0.1");
    }

    private PerfServer serve(String host) {
        return PerfServer.launch(
                new PerfServer.Settings(host, 0, Optional.empty(), 1),
                PtcpConfig.defaults(),
                machine,
                new PerfServer.Observer() {
                    @Override
                    public void tested(String from, PerfResult result) {
                        who.complete(from);
                        tested.complete(result);
                    }

                    @Override
                    public void failed(String reason) {
                        failed.complete(reason);
                    }
                });
    }

    private PerfResult run(PerfOrder order) {
        try (PerfServer server = serve();
                PerfClient client = PerfClient.launch(machine, 1)) {
            PerfResult result = client.open(PtcpClient.Target.plain("127.0.0.1", server.port()), CONFIG, order)
                    .thenCompose(PerfTest::result)
                    .join();
            assertThat(tested.join().bytes()).isEqualTo(result.bytes());
            return result;
        }
    }

    @AfterEach
    void stopTimers() {
        timers.shutdownNow();
    }

    @Test
    void shouldCountEveryByteWhenClientSends() {
        // when
        PerfResult result = run(PerfOrder.ofBytes(5_000_001, false));

        // then
        assertThat(result.bytes()).isEqualTo(5_000_001);
        assertThat(result.nanos()).isPositive();
        assertThat(result.clientCpuNanos()).isPresent();
        assertThat(result.serverCpuNanos()).isPresent();
        assertThat(result.streams().stream()
                        .mapToLong(PerfResult.Share::receivedBytes)
                        .sum())
                .isGreaterThanOrEqualTo(5_000_001);
    }

    @Test
    void shouldCountEveryByteWhenServerSends() {
        assertThat(run(PerfOrder.ofBytes(5_000_001, true)).bytes()).isEqualTo(5_000_001);
    }

    private static boolean hasVersionSix() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null;
    }

    @Test
    void shouldSayWhereFromWhenTheAddressIsOfVersionSix() throws IOException {
        // given
        Assumptions.assumeTrue(hasVersionSix(), "this machine has no loopback address of version 6");
        try (PerfServer server = serve("::1");
                PerfClient client = PerfClient.launch(machine, 1)) {
            // when
            client.open(PtcpClient.Target.plain("::1", server.port()), CONFIG, PerfOrder.ofBytes(1, false))
                    .thenCompose(PerfTest::result)
                    .join();

            // then
            assertThat(who.join()).matches("\\[::1]:[0-9]+");
        }
    }

    @Test
    void shouldEndInTimeWhenTimeIsTheLimit() {
        // when
        PerfResult result = run(PerfOrder.ofTime(Duration.ofSeconds(2), false));

        // then
        assertThat(result.bytes()).isPositive();
        assertThat(result.nanos()).isBetween(1L, 2_000_000_000L);
    }

    @Test
    void shouldSayWhyWhenClientSendsGarbage() {
        // given
        try (PerfServer server = serve();
                PtcpClient client = PtcpClient.launch("test", 1)) {
            Talker talker = new Talker("GET / HTTP/1.1\r\n\r\n");

            // when
            client.open(PtcpClient.Target.plain("127.0.0.1", server.port()), CONFIG, talker::to);

            // then
            assertThat(failed.join()).contains("127.0.0.1").contains("bytes that are no test");
            assertThat(talker.closed.join()).contains("bytes that are no test");
        }
    }

    /** Returns why a measurement fails at a server that is for something else. */
    private PtcpException failureAt(Function<PtcpSession, PtcpListener> listeners) throws IOException {
        PtcpServer.Settings settings = new PtcpServer.Settings(
                "test", new InetSocketAddress("127.0.0.1", 0), Optional.empty(), 1, 16, (kind, story) -> {});
        try (PtcpServer server = PtcpServer.launch(settings, CONFIG, listeners);
                PerfClient client = PerfClient.launch(machine, 1)) {
            CompletableFuture<PerfResult> result = client.open(
                            PtcpClient.Target.plain("127.0.0.1", server.port()),
                            CONFIG,
                            PerfOrder.ofBytes(1_000_000, false))
                    .thenCompose(PerfTest::result);
            return (PtcpException) catchThrowable(result::join).getCause();
        }
    }

    @Test
    void shouldSayWhyWhenServerIsNone() throws IOException {
        // when
        PtcpException failure = failureAt(new Talker("hello, who is there?")::to);

        // then
        assertThat(failure.code()).isEqualTo(PtcpException.Code.STRANGER);
        assertThat(failure).hasMessageContaining("bytes that are no test");
    }

    private static PtcpListener refusing(PtcpSession session) {
        return new PtcpListener() {
            @Override
            public void received(ByteBuf bytes) {
                throw new IllegalStateException("a frame that is too long");
            }

            @Override
            public void writabilityChanged(boolean writable) {}

            @Override
            public void closed(@Nullable PtcpException cause) {}
        };
    }

    /** As a broker, to which a test is a frame that is far too long. */
    @Test
    void shouldSayWhyWhenServerTakesNoTest() throws IOException {
        // when
        PtcpException failure = failureAt(PtcpPerfIT::refusing);

        // then
        assertThat(failure.code()).isEqualTo(PtcpException.Code.STRANGER);
        assertThat(failure)
                .hasMessageStartingWith("something answers that serves no measurements: ")
                .hasMessageEndingWith("a frame that is too long");
    }

    /** Says something that is no test. */
    private static final class Talker {
        private final String words;
        private final CompletableFuture<String> closed = new CompletableFuture<>();

        Talker(String words) {
            this.words = words;
        }

        PtcpListener to(PtcpSession session) {
            return new PtcpListener() {
                @Override
                public void opened() {
                    session.write(Unpooled.copiedBuffer(words, StandardCharsets.US_ASCII));
                }

                @Override
                public void received(ByteBuf bytes) {}

                @Override
                public void writabilityChanged(boolean writable) {}

                @Override
                public void closed(@Nullable PtcpException cause) {
                    closed.complete(String.valueOf(cause));
                }
            };
        }
    }
}
