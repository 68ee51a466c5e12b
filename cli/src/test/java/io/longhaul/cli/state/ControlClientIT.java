package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.control.ControlAddress;
import io.longhaul.agent.control.ControlServer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlClientIT {
    @TempDir
    private Path data;

    private static List<String> answer(String command, String id) {
        return switch (command) {
            case "transfers" -> List.of("{\"transfer\":\"1\"}", "{\"transfer\":\"2\"}");
            case "receipts" -> List.of();
            default -> throw new AgentException(AgentException.Code.TRANSFER_FAILED, "no such thing: " + id);
        };
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
