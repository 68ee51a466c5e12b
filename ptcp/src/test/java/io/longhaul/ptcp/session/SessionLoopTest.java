package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SessionLoopTest {
    /** Returns how often a timer ran that was due twice. */
    private static int runsInTwoPeriods(Runnable failing) {
        EmbeddedChannel channel = new EmbeddedChannel();
        AtomicInteger runs = new AtomicInteger();
        channel.freezeTime();
        new SessionLoop("a", channel.eventLoop(), () -> 0)
                .every(
                        () -> {
                            runs.incrementAndGet();
                            failing.run();
                        },
                        1);
        for (int i = 0; i < 2; i++) {
            channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
        }
        return runs.get();
    }

    @Test
    void shouldRunItAgainWhenThereWasNoMemoryForIt() {
        // when
        int runs = runsInTwoPeriods(() -> {
            throw new OutOfMemoryError("of a test");
        });

        // then
        assertThat(runs).isEqualTo(2);
    }

    @Test
    void shouldGoOnWhenTheFailureCannotEvenBeTold() {
        // when
        int runs = runsInTwoPeriods(() -> {
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String toString() {
                    throw new OutOfMemoryError("of a test");
                }
            };
        });

        // then
        assertThat(runs).isEqualTo(2);
    }

    @Test
    void shouldServeAChannelOfAnotherLoop() {
        // given
        EmbeddedChannel here = new EmbeddedChannel();
        EmbeddedChannel there = new EmbeddedChannel();
        List<EventLoop> loops = new ArrayList<>();

        // when
        new SessionLoop("a", here.eventLoop(), () -> 0).take(there, () -> loops.add(there.eventLoop()));
        there.runPendingTasks();
        here.runPendingTasks();

        // then
        assertThat(loops).containsExactly(here.eventLoop());
    }

    @Test
    void shouldTakeNoChannelThatWasClosedMeanwhile() {
        // given
        EmbeddedChannel here = new EmbeddedChannel();
        EmbeddedChannel there = new EmbeddedChannel();
        AtomicInteger runs = new AtomicInteger();
        there.close();

        // when
        new SessionLoop("a", here.eventLoop(), () -> 0).take(there, runs::incrementAndGet);
        there.runPendingTasks();
        here.runPendingTasks();

        // then
        assertThat(runs).hasValue(0);
    }
}
