package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.cli.state.DeliveredCheck.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeliveredCheckTest {
    @TempDir
    private Path directory;

    private Path file;
    private JsonNode transfer;

    @BeforeEach
    void deliver() throws IOException {
        file = Files.writeString(directory.resolve("f"), "content");
        transfer = transfer("1", "receipted", DeliveredCheck.digest(file));
    }

    private JsonNode transfer(String id, String state, String digest) {
        return new JsonMapper()
                .createObjectNode()
                .put("direction", "incoming")
                .put("transfer", id)
                .put("state", state)
                .put("path", file.toString())
                .put("digest", digest);
    }

    @Test
    void shouldBeIntactWhenBytesAreTheSame() {
        // then
        assertThat(new DeliveredCheck(List.of(transfer)).of(transfer)).contains(Verdict.INTACT);
    }

    @Test
    void shouldDifferWhenAByteHasFlipped() throws IOException {
        // given
        Files.writeString(file, "cOntent");

        // then
        assertThat(new DeliveredCheck(List.of(transfer)).of(transfer)).contains(Verdict.DIFFERENT);
        assertThat(Verdict.DIFFERENT.isDamage()).isTrue();
    }

    @Test
    void shouldBeMissingWhenFileIsGone() throws IOException {
        // given
        Files.delete(file);

        // then
        assertThat(new DeliveredCheck(List.of(transfer)).of(transfer)).contains(Verdict.MISSING);
    }

    @Test
    void shouldBeReplacedWhenLaterTransferLiesThere() {
        // given
        JsonNode later = transfer("2", "receipted", "0".repeat(64));

        // then
        assertThat(new DeliveredCheck(List.of(transfer, later)).of(transfer)).contains(Verdict.REPLACED);
    }

    @Test
    void shouldSayNothingWhenTransferIsNotInPlace() {
        // given
        JsonNode receiving = transfer("3", "receiving", "");

        // then
        assertThat(new DeliveredCheck(List.of(receiving)).of(receiving)).isEmpty();
    }
}
