package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderStampTest {
    private static final long ORDER = 1_700_000_000_000L * 1024;

    @Test
    void shouldReadWhatWasStamped() {
        assertThat(OrderStamp.read(stamped(ORDER, OrderStamp.crc(ORDER)))).isEqualTo(ORDER);
    }

    @Test
    void shouldHaveTheChecksumOfTheProtocol() {
        assertThat(OrderStamp.crc(0x0102030405060708L)).isEqualTo(0x46891f81);
    }

    @Test
    void shouldRefuseWhenAnyBitIsFlipped() {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            Map<String, Object> flipped = stamped(ORDER ^ 1L << bit, OrderStamp.crc(ORDER));
            assertThatThrownBy(() -> OrderStamp.read(flipped))
                    .as("bit %d", bit)
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining(OrderStamp.ORDER)
                    .hasMessageContaining(String.valueOf(flipped.get(OrderStamp.ORDER)));
        }
    }

    @Test
    void shouldRefuseAChecksumOfNothing() {
        assertThatThrownBy(() -> OrderStamp.read(Map.of(OrderStamp.CRC, OrderStamp.crc(ORDER))))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> OrderStamp.read(stamped("text", OrderStamp.crc(ORDER))))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> OrderStamp.read(stamped(ORDER, "text"))).isInstanceOf(WireException.class);
    }

    @Test
    void shouldTakeTheNumberOfAnOlderBroker() {
        assertThat(OrderStamp.read(Map.of(OrderStamp.ORDER, ORDER))).isEqualTo(ORDER);
        assertThat(OrderStamp.read(Map.of(OrderStamp.ORDER, -ORDER))).isZero();
        assertThat(OrderStamp.read(Map.of())).isZero();
    }

    private static Map<String, Object> stamped(Object order, Object crc) {
        return Map.of(OrderStamp.ORDER, order, OrderStamp.CRC, crc);
    }
}
