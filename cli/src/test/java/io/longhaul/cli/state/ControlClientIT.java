package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.control.ControlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void shouldGetNothingWhenNobodyListens() throws IOException {
        // given
        assertThat(ControlClient.ask(data, "transfers", Optional.empty())).isEmpty();

        // when
        Files.writeString(data.resolve("control.sock"), "");

        // then
        assertThat(ControlClient.ask(data, "transfers", Optional.empty())).isEmpty();
    }
}
