package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.net.Deaf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AcknowledgerTest {
    private static final int WINDOW = 1024 * 1024;
    private final EmbeddedChannel wire = new EmbeddedChannel();
    private final Receiver receiver =
            new Receiver(new Window(WINDOW, WINDOW, new WindowBudget(0), () -> 0), () -> true, new Deaf(end -> {}));
    private long nowMillis;
    private final SessionLoop loop = new SessionLoop("a", wire.eventLoop(), () -> nowMillis * 1_000_000);
    private final Acknowledger acks = new Acknowledger(loop, receiver, new ControlLink(wire, 0));

    @BeforeEach
    void freeze() {
        wire.freezeTime();
    }

    @AfterEach
    void release() {
        wire.finishAndReleaseAll();
        receiver.release();
    }

    private void pass(long millis) {
        nowMillis += millis;
        wire.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        wire.runScheduledPendingTasks();
    }

    private void come(int bytes) {
        receiver.received(
                List.of(new Fragment(receiver.next(), Unpooled.buffer().writeZero(bytes))));
        acks.progressed();
    }

    /** Returns how often the other end was told since the last call. */
    private int told() {
        int count = 0;
        for (ByteBuf frame = wire.readOutbound(); frame != null; frame = wire.readOutbound()) {
            frame.release();
            count++;
        }
        return count;
    }

    @Test
    void shouldTellWithWhatComesWhenAMomentHasPassed() {
        // given
        pass(5);

        // when
        come(1);

        // then
        assertThat(told()).isOne();
    }

    @Test
    void shouldTellAfterAPauseWhenNothingMoreComes() {
        // given
        pass(4);
        come(1);
        pass(9);
        assertThat(told()).isZero();

        // when
        pass(1);

        // then
        assertThat(told()).isOne();
    }

    @Test
    void shouldNotTellAgainAfterThePauseWhenItToldWithWhatCame() {
        // given
        come(1);
        pass(5);
        come(1);
        assertThat(told()).isOne();

        // when
        pass(10);

        // then
        assertThat(told()).isZero();
    }

    @Test
    void shouldTellAtOnceWhenMuchCame() {
        // when
        come(WINDOW / 8);

        // then
        assertThat(told()).isOne();
    }
}
