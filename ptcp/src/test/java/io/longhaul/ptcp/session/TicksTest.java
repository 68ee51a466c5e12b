package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TicksTest {
    private final EmbeddedChannel wire = new EmbeddedChannel();
    private final SessionLoop loop = new SessionLoop("a", wire.eventLoop(), () -> 0);
    private boolean busy;
    private int count;
    private final Ticks ticks = new Ticks(loop, () -> count++, () -> busy);

    @BeforeEach
    void freeze() {
        wire.freezeTime();
    }

    @AfterEach
    void release() {
        wire.finishAndReleaseAll();
    }

    /** Returns how many ticks there were meanwhile. */
    private int pass(long millis) {
        int before = count;
        for (long passed = 0; passed < millis; passed += 50) {
            wire.advanceTimeBy(50, TimeUnit.MILLISECONDS);
            wire.runScheduledPendingTasks();
        }
        return count - before;
    }

    @Test
    void shouldTickSoonAfterTheStart() {
        // when
        ticks.start();

        // then
        assertThat(pass(100)).isOne();
    }

    @Test
    void shouldTickOftenWhileBusy() {
        // given
        busy = true;

        // when
        ticks.start();

        // then
        assertThat(pass(2_000)).isEqualTo(20);
    }

    @Test
    void shouldTickRarelyWhenNothingIsBusyAnyMore() {
        // given
        busy = true;
        ticks.start();
        pass(1_000);

        // when
        busy = false;
        pass(500);

        // then
        assertThat(pass(2_000)).isEqualTo(4);
    }

    @Test
    void shouldTickSoonWhenAskedAndRarelyAfterwards() {
        // given
        ticks.start();
        pass(1_000);

        // when
        ticks.hurry();

        // then
        assertThat(pass(100)).isOne();
        assertThat(pass(2_000)).isEqualTo(4);
    }

    @Test
    void shouldTickOftenWhenItBecomesBusy() {
        // given
        ticks.start();
        pass(1_000);
        ticks.hurryWhenBusy();
        assertThat(pass(1_000)).isEqualTo(2);

        // when
        busy = true;
        ticks.hurryWhenBusy();

        // then
        assertThat(pass(1_000)).isEqualTo(10);
    }

    @Test
    void shouldTickNoMoreAfterTheEnd() {
        // given
        busy = true;
        ticks.start();
        pass(1_000);

        // when
        ticks.end();
        ticks.hurry();

        // then
        assertThat(pass(2_000)).isZero();
    }
}
