package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AmountsTest {

    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "1023,1023 B",
        "1024,1.0 KiB",
        "67108864,64.0 MiB",
        "104857600,100 MiB",
        "1073741823,1.0 GiB",
        "1152921504606846976,1.0 EiB"
    })
    void shouldChooseUnitWhenBytesAreMany(long bytes, String shown) {
        // then
        assertThat(Amounts.bytes(bytes)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0,0 streams", "1,1 stream", "2,2 streams"})
    void shouldChooseTheFormOfAWordWhenThereIsOne(long number, String shown) {
        // then
        assertThat(Amounts.count(number, "stream")).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0,0:00", "7,0:07", "750,12:30", "3599,59:59", "10931,3:02:11", "864000,10 d"})
    void shouldShowClockWhenSecondsAreGiven(long seconds, String shown) {
        // then
        assertThat(Amounts.clock(seconds)).isEqualTo(shown);
    }
}
