package io.longhaul.gridftp.range;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DoubtsTest {
    private final Doubts<String, Integer> doubts = new Doubts<>();

    @Test
    void shouldConcernWhatIsBehindTheBytesThatAreGranted() {
        // when
        doubts.add("f", 1, 10);

        // then
        assertThat(doubts.concern("f", 1, 10)).isFalse();
        assertThat(doubts.concern("f", 1, 11)).isTrue();
        assertThat(doubts.concern("f", 2, 11)).isFalse();
        assertThat(doubts.concern("g", 1, 11)).isFalse();
    }

    @Test
    void shouldGrantWhatAllWritesOverAVersionGrant() {
        // when
        doubts.add("f", 1, 10);
        doubts.add("f", 1, 5);
        doubts.add("f", 1, 20);

        // then
        assertThat(doubts.concern("f", 1, 5)).isFalse();
        assertThat(doubts.concern("f", 1, 6)).isTrue();
    }

    @Test
    void shouldForgetTheOldestWhenThereAreTooMany() {
        // when
        for (int i = 0; i <= 4096; i++) {
            doubts.add("f" + i, 1, 0);
        }

        // then
        assertThat(doubts.concern("f0", 1, 1)).isFalse();
        assertThat(doubts.concern("f1", 1, 1)).isTrue();
    }
}
