package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataLockTest {
    @TempDir
    Path data;

    @Test
    void shouldBlameTheSettingWhenNoDirectoryCanBeMadeThere() {
        assertThatThrownBy(() -> DataLock.claim(Path.of("/proc/longhaul/data")))
                .isInstanceOfSatisfying(
                        ServerException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(ServerException.Kind.BAD_CONFIG))
                .hasMessage(
                        "data /proc/longhaul/data: expected a file system that takes directories and files, found one"
                                + " that does not take /proc/longhaul");
    }

    @ParameterizedTest
    @CsvSource({"'6147\n', process 6147", "process 6147, process 6147", "'', another process", "x, another process"})
    void shouldNameProcessWhenStoreOrBrokerHasTheLock(String written, String holder) throws Exception {
        // given
        try (FileChannel lock =
                FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.write(ByteBuffer.wrap(written.getBytes(StandardCharsets.UTF_8)));
            lock.lock();

            // when, then
            assertThatThrownBy(() -> DataLock.claim(data))
                    .isInstanceOf(ServerException.class)
                    .hasMessageEndingWith("found it in use by " + holder);
        }
    }
}
