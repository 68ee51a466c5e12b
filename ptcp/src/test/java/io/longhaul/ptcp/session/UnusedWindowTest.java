package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.frame.FrameType;
import io.longhaul.ptcp.frame.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class UnusedWindowTest {
    private static final int KEPT = 1024;
    private static final int LIMIT = 100 * KEPT;
    private static final long PERIOD_NS = Duration.ofSeconds(10).toNanos();
    private static final long START_NS = -17;

    private final EmbeddedChannel wire = new EmbeddedChannel();
    private final ResendRoom room = new ResendRoom(LIMIT, LIMIT, new WindowBudget(0));
    private final Splitter splitter = new Splitter(KEPT, room, LIMIT, UnpooledByteBufAllocator.DEFAULT);
    private final UnusedWindow unused = new UnusedWindow(splitter, new ControlLink(wire, START_NS), KEPT, START_NS);

    @AfterEach
    void release() {
        splitter.release();
    }

    private void send(int packets) {
        splitter.add(Unpooled.buffer(packets * KEPT).writeZero(packets * KEPT));
        for (int i = 0; i < packets; i++) {
            splitter.take(LIMIT);
        }
    }

    private @Nullable Header told() {
        ByteBuf out = wire.readOutbound();
        if (out == null) {
            return null;
        }
        try {
            return Header.read(out, 0);
        } finally {
            out.release();
        }
    }

    @Test
    void shouldGiveBackAllButTheFirstWindowWhenLittleWasSentForAPeriod() {
        // given
        send(10);
        unused.tick(START_NS + PERIOD_NS);
        assertThat(told()).isNull();

        // when
        unused.tick(START_NS + 2 * PERIOD_NS - 1);
        assertThat(told()).isNull();
        unused.tick(START_NS + 2 * PERIOD_NS);

        // then
        assertThat(told()).isEqualTo(new Header(FrameType.GIVE_BACK, 0, LIMIT - 11 * KEPT));
        unused.tick(START_NS + 3 * PERIOD_NS);
        assertThat(told()).isNull();
    }

    @Test
    void shouldSayAgainHowMuchItGaveBackWhenThereIsANewControlChannel() {
        // given
        unused.tell();
        assertThat(told()).isNull();
        unused.tick(START_NS + PERIOD_NS);
        Header first = told();

        // when
        unused.tell();

        // then
        assertThat(told()).isEqualTo(first).isNotNull();
    }
}
