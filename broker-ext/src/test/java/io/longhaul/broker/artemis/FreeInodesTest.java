package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeInodesTest {
    private final AtomicLong nanos = new AtomicLong();

    private FreeInodes saying(String counts) {
        return new FreeInodes(() -> counts, nanos::get);
    }

    @Test
    void shouldTellWhenTooFewAreFree() {
        assertThat(saying("1000000 1023").shortage()).contains("needed 1024 inodes free, found 1023");
        assertThat(saying("1000000 1024").shortage()).isEmpty();
        assertThat(saying("2000 99").shortage()).contains("needed 100 inodes free, found 99");
        assertThat(saying("2000 100").shortage()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0", "", "stat: unrecognized option: f", "- -"})
    void shouldHaveEnoughWhereNobodyKnows(String said) {
        assertThat(saying(said).shortage()).isEmpty();
    }

    @Test
    void shouldHaveEnoughWhenThereIsNoProgram() {
        FreeInodes without = new FreeInodes(
                () -> {
                    throw new IOException("no such program");
                },
                nanos::get);

        assertThat(without.shortage()).isEmpty();
    }

    @Test
    void shouldAskNowAndThen() {
        // given
        AtomicInteger asked = new AtomicInteger();
        FreeInodes inodes = new FreeInodes(() -> asked.getAndIncrement() == 0 ? "100 0" : "100 50", nanos::get);

        // when, then
        assertThat(inodes.shortage()).isPresent();
        nanos.addAndGet(9_000_000_000L);
        assertThat(inodes.shortage()).isPresent();
        nanos.addAndGet(1_000_000_000L);
        assertThat(inodes.shortage()).isEmpty();
        assertThat(asked).hasValue(2);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKnowThoseOfThisMachine() throws IOException {
        assertThat(FreeInodes.statOf(Path.of(".")).counts()).matches("\\d+ \\d+");
    }
}
