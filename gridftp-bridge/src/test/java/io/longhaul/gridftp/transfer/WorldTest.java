package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class WorldTest {
    private static Code code(Throwable failure) {
        return World.failure(new CompletionException(failure)).code();
    }

    @Test
    void shouldSayThatTryingAgainHelpsWhenThisMachineIsInTrouble() {
        assertThat(code(new StorageException(StorageException.Code.IO, "Input/output error")))
                .isEqualTo(Code.UNAVAILABLE);
        assertThat(code(new IOException("Too many open files"))).isEqualTo(Code.UNAVAILABLE);
        assertThat(code(new OutOfMemoryError("Java heap space"))).isEqualTo(Code.UNAVAILABLE);
    }

    @Test
    void shouldSayThatItIsFinalWhenTryingAgainDoesNotHelp() {
        assertThat(code(new StorageException(StorageException.Code.DAMAGED, "a checksum")))
                .isEqualTo(Code.FAILED);
        assertThat(code(new StorageException(StorageException.Code.VERSION, "version 9")))
                .isEqualTo(Code.FAILED);
        assertThat(code(new IllegalStateException("half a thing"))).isEqualTo(Code.FAILED);
    }
}
