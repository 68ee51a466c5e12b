package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A process that the system speaks to in another language than English. */
class ForeignWordsIT {
    @Test
    void shouldKnowAFullDiskInTheLanguageOfTheProcess() throws Exception {
        // given
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/share/locale/de/LC_MESSAGES/libc.mo")), "this system speaks English only");

        // when
        Process child = JavaChild.start(List.of("env", "LC_ALL=C.UTF-8", "LANGUAGE=de"), Writer.class);
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(child.waitFor()).isZero();
        assertThat(said).startsWith("NO_SPACE").contains("kein Speicherplatz");
    }

    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Path path = Path.of("/dev/full");
            try (FileChannel full = FileChannel.open(path, StandardOpenOption.WRITE)) {
                full.write(ByteBuffer.allocate(1));
            } catch (IOException e) {
                StorageException failure = DiskFailure.of("write", path, 1, e);
                String line = failure.code() + " " + failure.getMessage();
                System.out.write(line.getBytes(StandardCharsets.UTF_8));
                System.out.flush();
            }
        }
    }
}
