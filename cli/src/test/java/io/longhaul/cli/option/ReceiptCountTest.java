package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceiptCountTest {
    private final ReceiptCount.Converter converter = new ReceiptCount.Converter();

    @ParameterizedTest
    @CsvSource({"none,0", "0,0", "3,3", "100000,100000"})
    void shouldReadCountWhenItIsNoneOrNumber(String text, int count) {
        // then
        assertThat(converter.convert(text)).isEqualTo(new ReceiptCount(count));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all", "-1", "1.5", "100001", "99999999999"})
    void shouldRefuseWhenCountIsMalformed(String text) {
        // then
        assertThatThrownBy(() -> converter.convert(text)).hasMessageContaining("expected none or a number");
    }
}
