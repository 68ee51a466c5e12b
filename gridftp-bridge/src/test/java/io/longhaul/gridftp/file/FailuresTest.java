package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FailuresTest {
    private static BackendException of(String reason) {
        return Failures.of(FilePath.of("/f"), new FileSystemException("/disk/f", null, reason));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Too many open files", "Input/output error", "Stale file handle", "Cannot allocate memory"})
    void shouldSayThatItIsWaitedForWhenTheMachineIsInTrouble(String reason) {
        assertThat(of(reason).code()).isEqualTo(Code.UNAVAILABLE);
        assertThat(of(reason).isAway()).isTrue();
        assertThat(of(reason)).hasMessage("/f: " + reason);
    }

    @Test
    void shouldKeepWhatIsSaidOfTheFileApart() {
        assertThat(of("Too many levels of symbolic links").code()).isEqualTo(Code.DENIED);
        assertThat(of("Disk quota exceeded").code()).isEqualTo(Code.NO_SPACE);
        assertThat(Failures.of(FilePath.of("/f"), new IOException("something else"))
                        .code())
                .isEqualTo(Code.FAILED);
    }
}
