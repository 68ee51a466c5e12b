package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "4096,4096",
        "64MiB,67108864",
        "1GB,1000000000",
        "512k,512000",
        "1.5KiB,1536",
        "2 GiB,2147483648",
        "1tib,1099511627776",
        "7b,7"
    })
    void shouldReadSizeWhenUnitIsKnown(String text, long bytes) {
        // when
        ByteSize size = ByteSize.parse(text);

        // then
        assertThat(size.bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1", "1XB", "1,5GB", "0x10", "1e3"})
    void shouldNameExpectedFormWhenSizeIsMalformed(String text) {
        // then
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a size like 4096, 64MiB or 1GB, found '" + text + "'");
    }

    @Test
    void shouldRefuseWhenSizeDoesNotFit() {
        // then
        assertThatThrownBy(() -> ByteSize.parse("9000000TiB")).hasMessageContaining("below 8 EiB");
    }
}
