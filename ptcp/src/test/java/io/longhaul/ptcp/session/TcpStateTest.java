package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TcpStateTest {
    @Test
    void shouldReadTheSystemsStructure() {
        // given: each word of it says where it is
        ByteBuffer struct = ByteBuffer.allocate(148).order(ByteOrder.nativeOrder());
        for (int offset = 0; offset < struct.capacity(); offset += Integer.BYTES) {
            struct.putInt(offset, offset);
        }

        // when
        TcpState state = TcpState.of(struct);

        // then
        assertThat(state).isEqualTo(new TcpState(80 * 16, 24 * 16, 144, 68, TimeUnit.MILLISECONDS.toNanos(56), 100));
    }

    @Test
    void shouldTakeNumbersAsUnsigned() {
        // given
        ByteBuffer struct = ByteBuffer.allocate(148).order(ByteOrder.nativeOrder());
        struct.putInt(144, -1);

        // when
        TcpState state = TcpState.of(struct);

        // then
        assertThat(state.unsentBytes()).isEqualTo(0xffff_ffffL);
    }
}
