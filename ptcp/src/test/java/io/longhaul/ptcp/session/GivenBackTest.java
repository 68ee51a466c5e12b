package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** What a merger takes once the other end has given back a part of its window. */
final class GivenBackTest {
    private static final int WINDOW = 256 * 1024;

    private static Merger merger() {
        return new Merger(new Window(WINDOW, WINDOW, new WindowBudget(0), () -> 0), () -> true);
    }

    private static ByteBuf part(int length) {
        return Unpooled.buffer(length).writeZero(length);
    }

    @Test
    void shouldRefuseWhatIsBeyondTheWindowThatIsLeftWhenSomeIsGivenBack() {
        // given
        Merger merger = merger();
        long granted = merger.granted();

        // when
        merger.givenBack(WINDOW - 100);
        merger.givenBack(WINDOW - 100);
        merger.givenBack(1);

        // then
        merger.offer(0, part(100));
        assertThatThrownBy(() -> merger.offer(100, part(1)))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("beyond the window at 100");
        assertThat(merger.granted()).isEqualTo(granted);
        merger.release();
    }

    @Test
    void shouldRefuseWhenMoreIsGivenBackThanIsLeft() {
        // given
        Merger merger = merger();
        merger.offer(1000, part(10));

        // when then
        assertThatThrownBy(() -> merger.givenBack(WINDOW - 1009))
                .isInstanceOf(PtcpException.class)
                .hasMessage("gives back " + (WINDOW - 1009) + " bytes, has " + (WINDOW - 1010) + " left");
        assertThatThrownBy(() -> merger.givenBack(Long.MAX_VALUE)).isInstanceOf(PtcpException.class);
        merger.givenBack(WINDOW - 1010);
        assertThat(merger.limit()).isEqualTo(1010);
        merger.release();
    }
}
