package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.StorageException;
import java.nio.channels.ClosedByInterruptException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void shouldTellOfAnInterruptAndKeepIt() {
        // given
        StorageException failure =
                new StorageException(StorageException.Code.IO, "lock data/lock", new ClosedByInterruptException());

        // when
        AgentException translated = Failures.translate(failure);

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(translated.code()).isEqualTo(AgentException.Code.INTERRUPTED);
    }

    @Test
    void shouldTellOfTheDiskWhenNobodyInterrupted() {
        AgentException translated = Failures.translate(new StorageException(StorageException.Code.IO, "read data/f"));

        assertThat(Thread.interrupted()).isFalse();
        assertThat(translated.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(translated).hasMessage("read data/f");
    }
}
