package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectoryLockTest {
    @ParameterizedTest
    @CsvSource({
        "'6147\n', process 6147",
        "process 6147, process 6147",
        "'', another process",
        "process, another process",
        "evil 1, another process"
    })
    void shouldNameProcessWhenStoreOrBrokerHasTheLock(String written, String holder) {
        assertThat(DirectoryLock.holder(written)).isEqualTo(holder);
    }
}
