package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SystemWordsTest {
    @Test
    void shouldKnowWhatTellsOfADiskThatIsUsedUp() {
        assertThat(SystemWords.tellOfNoSpace("/mount/f: No space left on device"))
                .isTrue();
        assertThat(SystemWords.tellOfFullDisk("No space left on device")).isTrue();
        assertThat(SystemWords.tellOfNoSpace("Disk quota exceeded")).isTrue();
    }

    @Test
    void shouldNotPointToTheDiskWhenItIsTheQuota() {
        assertThat(SystemWords.tellOfFullDisk("Disk quota exceeded")).isFalse();
    }

    @Test
    void shouldNotTakeOtherWordsForIt() {
        assertThat(SystemWords.tellOfNoSpace("Input/output error")).isFalse();
        assertThat(SystemWords.tellOfNoSpace("null")).isFalse();
    }

    @Test
    void shouldHearTheSystemOnAThreadThatIsInterrupted() {
        // given
        Thread.currentThread().interrupt();

        // when
        Optional<String> words = SystemWords.of(new File("/dev/full"));

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(words).contains("No space left on device");
    }
}
