package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentNoteTest {
    @TempDir
    private Path data;

    @Test
    void shouldBeFoundAgainWhenWritten() {
        // given
        AgentNote note = new AgentNote("site-a", "127.0.0.1:7400", "alice");

        // when
        note.write(data);

        // then
        assertThat(AgentNote.read(data)).contains(note);
    }

    @Test
    void shouldCountAsMissingWhenDamaged() throws IOException {
        // given
        Files.writeString(data.resolve("agent.properties"), "name=\\u00zz\n");

        // then
        assertThat(AgentNote.read(data)).isEmpty();
    }

    @Test
    void shouldCountAsMissingWhenItsBytesAreNoText() throws IOException {
        // given
        Files.write(data.resolve("agent.properties"), new byte[] {'n', '=', (byte) 0xFF});

        // then
        assertThat(AgentNote.read(data)).isEmpty();
    }
}
