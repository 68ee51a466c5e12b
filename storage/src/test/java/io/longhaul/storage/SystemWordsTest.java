package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

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
}
