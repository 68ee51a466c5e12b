package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceptorsTest {
    @ParameterizedTest
    @CsvSource({
        "1048576, 1, 8192", //
        "65536, 2, 8192",
        "20000, 1, 8000",
        "20000, 3, 2666",
        "1500, 1, 600",
        "1, 1, 1"
    })
    void shouldLeaveHalfOfTheFilesToTheJournal(long files, int acceptors, int most) {
        // when / then
        assertThat(Acceptors.mostConnections(files, acceptors)).isEqualTo(most);
    }
}
