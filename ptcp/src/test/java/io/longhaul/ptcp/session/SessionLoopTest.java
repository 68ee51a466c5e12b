package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SessionLoopTest {
    @Test
    void shouldRunItAgainWhenThereWasNoMemoryForIt() {
        // given
        EmbeddedChannel channel = new EmbeddedChannel();
        AtomicInteger runs = new AtomicInteger();
        channel.freezeTime();
        new SessionLoop("a", channel.eventLoop(), () -> 0)
                .every(
                        () -> {
                            runs.incrementAndGet();
                            throw new OutOfMemoryError("of a test");
                        },
                        1);

        // when
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();

        // then
        assertThat(runs).hasValue(2);
    }

    @Test
    void shouldGoOnWhenTheFailureCannotEvenBeTold() {
        // given
        EmbeddedChannel channel = new EmbeddedChannel();
        AtomicInteger runs = new AtomicInteger();
        channel.freezeTime();
        new SessionLoop("a", channel.eventLoop(), () -> 0)
                .every(
                        () -> {
                            runs.incrementAndGet();
                            throw new IllegalStateException() {
                                private static final long serialVersionUID = 1L;

                                @Override
                                public String toString() {
                                    throw new OutOfMemoryError("of a test");
                                }
                            };
                        },
                        1);

        // when
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();

        // then
        assertThat(runs).hasValue(2);
    }
}
