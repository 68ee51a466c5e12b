package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransferIdTest {
    private static final RandomGenerator ALL_ONES = () -> -1L;
    private static final RandomGenerator ALL_ZEROS = () -> 0L;

    @Test
    void shouldStartWithTheTimeWhenMade() {
        assertThat(TransferId.of(0x0199A1B2C3D4L, ALL_ONES)).hasToString("0199a1b2c3d4" + "f".repeat(20));
        assertThat(TransferId.of(0x0199A1B2C3D4L, ALL_ZEROS)).hasToString("0199a1b2c3d4" + "0".repeat(20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000000000000000000000000000",
                "ffffffffffffffffffffffffffffffff",
                "80000000000000007fffffffffffffff"
            })
    void shouldComeBackTheSameWhenWritten(String text) {
        assertThat(TransferId.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0000000000000000000000000000000",
                "000000000000000000000000000000000",
                "0000000000000000000000000000000A",
                "-0000000000000000000000000000000",
                "0000000000000000000000000000000g",
                "٠0000000000000000000000000000000",
                "../../../../../../../../../../et"
            })
    void shouldRefuseWhenItIsNoId(String text) {
        assertThatThrownBy(() -> TransferId.parse(text)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldSortByAgeWhenCompared() {
        TransferId older = TransferId.of(1, ALL_ONES);
        TransferId younger = TransferId.of(2, ALL_ZEROS);
        assertThat(older).isLessThan(younger);
        assertThat(TransferId.parse("f".repeat(32))).isGreaterThan(younger);
        assertThat(TransferId.parse("0".repeat(31) + "1")).isLessThan(TransferId.parse("0".repeat(31) + "2"));
    }
}
