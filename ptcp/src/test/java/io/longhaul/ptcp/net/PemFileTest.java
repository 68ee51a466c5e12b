package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PemFileTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadNoDeviceToItsEndWhenOneIsNamed() {
        Path device = Path.of("/dev/zero");

        assertThatThrownBy(() -> ClientTls.ofFiles(device.toString(), "", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/dev/zero: expected a PEM file, found something else");
        assertThatThrownBy(() -> ServerTls.ofFiles(device, device, Optional.of(device)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/dev/zero: expected a PEM file, found something else");
        assertThatThrownBy(() -> PemFile.text(device)).hasMessageContaining("/dev/zero");
    }

    @Test
    void shouldRefuseWhatIsTooLong() throws IOException {
        // given
        Path file = directory.resolve("long.pem");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(16 * 1024 * 1024 + 1);
        }

        // then
        assertThatThrownBy(() -> PemFile.require(file))
                .hasMessage(file + ": expected a PEM file of at most 16777216 bytes, found 16777217");
    }

    @Test
    void shouldSayThatThereIsNoneWhenItIsMissing() {
        Path none = directory.resolve("none");

        assertThatThrownBy(() -> PemFile.require(none)).hasMessage(none + ": expected a PEM file, found none");
    }

    @Test
    void shouldReturnWhatIsInIt() throws IOException {
        assertThat(PemFile.text(Files.writeString(directory.resolve("a.pem"), "text")))
                .isEqualTo("text");
    }
}
