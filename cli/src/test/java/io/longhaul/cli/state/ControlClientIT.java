package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.control.ControlAddress;
import io.longhaul.agent.control.ControlServer;
import io.longhaul.agent.control.ReceiptSelection;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlClientIT {
    @TempDir
    private Path data;

    private static void answer(ControlServer.Request request, Consumer<String> lines) {
        switch (request.command()) {
            case "transfers" ->
                List.of("{\"transfer\":\"1\"}", "{\"transfer\":\"2\"}").forEach(lines);
            case "receipts" -> {}
            default -> throw new AgentException(AgentException.Code.TRANSFER_FAILED, "no such thing: " + request.id());
        }
    }

    @Test
    void shouldGetLinesWhenProcessServesTheDirectory() throws Exception {
        // given
        try (AutoCloseable server = ControlServer.start(data, Thread::new, ControlClientIT::answer)) {
            assertThat(server).isNotNull();

            // when
            Optional<List<JsonNode>> lines = ControlClient.ask(data, "transfers", Optional.empty());

            // then
            assertThat(lines).isPresent();
            assertThat(lines.get())
                    .extracting(line -> line.path("transfer").asText())
                    .containsExactly("1", "2");
            assertThat(ControlClient.ask(data, "receipts", Optional.empty())).contains(List.of());
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** An answer may be larger than the memory of the process that gives it. */
    @Test
    void shouldGetLinesBeforeAllOfThemAreMade() throws Exception {
        // given
        CountDownLatch read = new CountDownLatch(1);
        ControlServer.Commands endless = (request, lines) -> {
            Collections.nCopies(1_000, "{\"line\":\"" + "x".repeat(100) + "\"}").forEach(lines);
            awaited(read);
            lines.accept("{\"last\":true}");
        };
        try (AutoCloseable server = ControlServer.start(data, Thread::new, endless);
                ControlAddress address = ControlAddress.of(data);
                SocketChannel channel = SocketChannel.open(address.socket())) {
            assertThat(server).isNotNull();
            channel.write(ByteBuffer.wrap("{}\n".getBytes(StandardCharsets.UTF_8)));
            BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));

            // when
            String first = assertTimeoutPreemptively(Duration.ofSeconds(20), reader::readLine);

            // then
            assertThat(first).startsWith("{\"line\"");
            read.countDown();
            assertThat(reader.lines()).hasSize(1_000).last().isEqualTo("{\"last\":true}");
        }
    }

    /** There may be more receipts than the memory of either side holds. */
    @Test
    void shouldTellOfReceiptsBeforeAllOfThemAreMade() throws Exception {
        // given
        ReceiptSelection selection = new ReceiptSelection(
                Optional.of("t"),
                Optional.of("a*"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(Instant.ofEpochSecond(7, 8)),
                Optional.empty());
        CountDownLatch told = new CountDownLatch(1);
        ControlServer.Commands endless = (request, lines) -> {
            Collections.nCopies(1_000, "{\"line\":\"" + "x".repeat(100) + "\"}").forEach(lines);
            awaited(told);
            lines.accept("{\"asked\":" + request.receipts().equals(selection) + "}");
        };
        List<JsonNode> last = new ArrayList<>();
        try (AutoCloseable server = ControlServer.start(data, Thread::new, endless)) {
            assertThat(server).isNotNull();

            // when
            boolean served = ControlClient.receipts(data, selection, line -> {
                told.countDown();
                last.clear();
                last.add(line);
            });

            // then
            assertThat(served).isTrue();
            assertThat(last.get(0).path("asked").asBoolean()).isTrue();
        }
    }

    @Test
    void shouldGetLinesWhenTheDirectorysPathIsLongerThanASocketsMayBe() throws Exception {
        // given
        Path deep = Files.createDirectories(data.resolve("d".repeat(120)));
        try (AutoCloseable server = ControlServer.start(deep, Thread::new, ControlClientIT::answer)) {
            assertThat(server).isNotNull();

            // when, then
            assertThat(ControlClient.ask(deep, "receipts", Optional.empty())).contains(List.of());
            assertThat(deep.resolve("control.sock")).exists();
        }
        assertThat(deep).isEmptyDirectory();
    }

    @Test
    void shouldFailAlikeWhenProcessRefuses() throws Exception {
        // given
        try (AutoCloseable server = ControlServer.start(data, Thread::new, ControlClientIT::answer)) {
            assertThat(server).isNotNull();

            // then
            assertThatThrownBy(() -> ControlClient.ask(data, "cancel", Optional.of("7")))
                    .isInstanceOf(AgentException.class)
                    .hasMessage("no such thing: 7")
                    .extracting(e -> ((AgentException) e).code())
                    .isEqualTo(AgentException.Code.TRANSFER_FAILED);
        }
    }

    @Test
    void shouldBeAnsweredWhenAnotherClientSaysNothing() throws Exception {
        // given
        try (AutoCloseable server = ControlServer.start(data, Thread::new, ControlClientIT::answer);
                ControlAddress address = ControlAddress.of(data);
                SocketChannel silent = SocketChannel.open(address.socket())) {
            assertThat(server).isNotNull();
            assertThat(silent.isConnected()).isTrue();

            // then
            assertThat(ControlClient.ask(data, "receipts", Optional.empty(), Duration.ofSeconds(20)))
                    .contains(List.of());
        }
    }

    @Test
    void shouldEndConnectionsWhenServerCloses() throws Exception {
        // given
        AutoCloseable server = ControlServer.start(data, Thread::new, ControlClientIT::answer);
        assertThat(server).isNotNull();
        try (ControlAddress address = ControlAddress.of(data);
                SocketChannel silent = SocketChannel.open(address.socket())) {
            // a later one is answered, so this one was taken in: one that still waits for that is reset instead
            assertThat(ControlClient.ask(data, "receipts", Optional.empty())).contains(List.of());

            // when
            Objects.requireNonNull(server).close();

            // then
            assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> assertThat(silent.read(ByteBuffer.allocate(1))).isEqualTo(-1));
        }
    }

    @Test
    void shouldGiveUpWhenProcessDoesNotAnswer() throws Exception {
        // given
        try (ControlAddress address = ControlAddress.of(data);
                ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stopped.bind(address.socket());

            // then
            assertThatThrownBy(() -> ControlClient.ask(data, "transfers", Optional.empty(), Duration.ofMillis(50)))
                    .isInstanceOf(AgentException.class)
                    .hasMessageContaining("expected an answer")
                    .extracting(e -> ((AgentException) e).code())
                    .isEqualTo(AgentException.Code.TRANSFER_FAILED);
        }
    }

    @Test
    void shouldGetNothingWhenNobodyListens() throws IOException {
        // given
        assertThat(ControlClient.ask(data, "transfers", Optional.empty())).isEmpty();

        // when
        Files.writeString(data.resolve("control.sock"), "");

        // then
        assertThat(ControlClient.ask(data, "transfers", Optional.empty())).isEmpty();
    }
}
