package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.net.Deaf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EndsTest {
    private static final int PACKET = 64 * 1024;
    private static final int WINDOW = 256 * 1024;
    private static final long LIMIT = 1000;

    private final ResendRoom room = new ResendRoom(WINDOW, WINDOW, new WindowBudget(0));
    private final Splitter splitter = new Splitter(PACKET, room, WINDOW, UnpooledByteBufAllocator.DEFAULT);
    private final Window window = new Window(WINDOW, WINDOW, new WindowBudget(0), () -> 0);
    private final Receiver receiver = new Receiver(window, () -> true, new Deaf());
    private final Ends ends = new Ends(splitter, receiver, LIMIT);

    private static ByteBuf bytes(int length) {
        return Unpooled.buffer(length).writeZero(length);
    }

    private void send(int packets) {
        splitter.add(bytes(packets * PACKET));
        for (int i = 0; i < packets; i++) {
            splitter.take(PACKET);
        }
    }

    @Test
    void shouldNotBeStuckWhenNothingMovesBeforeTheClose() {
        // given
        send(1);

        // then
        assertThat(ends.isStuck(0)).isFalse();
        assertThat(ends.isStuck(100 * LIMIT)).isFalse();
        ends.closeOwn();
        assertThat(ends.isStuck(101 * LIMIT)).isFalse();
        assertThat(ends.isStuck(101 * LIMIT + 1)).isTrue();
    }

    @Test
    void shouldWaitFromTheLastAcknowledgementWhenTheCloseTakesLong() {
        // given
        send(3);
        ends.closeOwn();

        // when
        for (int i = 1; i <= 3; i++) {
            assertThat(ends.isStuck(i * LIMIT)).isFalse();
            splitter.acknowledged((long) i * PACKET, WINDOW);
        }

        // then
        assertThat(ends.isStuck(4 * LIMIT)).isFalse();
        assertThat(ends.isAllSent()).isTrue();
        assertThat(ends.isStuck(5 * LIMIT + 1)).isTrue();
        assertThat(ends.missing()).contains("0 bytes were not received there", "is not known");
    }

    @Test
    void shouldWaitFromTheLastReadWhenTheReaderPauses() {
        // given
        ends.closePeers(2 * PACKET);
        receiver.setReading(false);
        receiver.received(List.of(new Fragment(0, bytes(PACKET))));
        assertThat(ends.isStuck(0)).isFalse();

        // when
        receiver.setReading(true);

        // then
        assertThat(ends.isStuck(2 * LIMIT)).isFalse();
        assertThat(ends.isStuck(3 * LIMIT + 1)).isTrue();
        assertThat(ends.missing()).isEqualTo(PACKET + " bytes were not read here");
    }

    @Test
    void shouldRefuseWhenTheOtherEndSaysAnotherEnd() {
        // given
        ends.closePeers(100);
        ends.closePeers(100);

        // when then
        assertThatThrownBy(() -> ends.closePeers(200))
                .isInstanceOf(PtcpException.class)
                .hasMessage("a stream that ends at 200, and at 100 before");
    }
}
