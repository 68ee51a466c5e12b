package io.longhaul.gridftp.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class AtMostTest {
    private final List<Runnable> threads = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private boolean isShut;
    private final AtMost two = new AtMost(2, task -> {
        if (isShut) {
            throw new RejectedExecutionException("no threads any more");
        }
        threads.add(task);
    });

    private void execute(String... tasks) {
        for (String task : tasks) {
            two.execute(() -> done.add(task));
        }
    }

    @Test
    void shouldUseNoMoreThreadsThanThatWhenMuchIsToBeDone() {
        execute("a", "b", "c", "d", "e");
        assertThat(threads).hasSize(2);

        threads.forEach(Runnable::run);

        assertThat(done).containsExactlyInAnyOrder("a", "b", "c", "d", "e");

        // when all have ended
        execute("f");

        // then there is a thread again
        assertThat(threads).hasSize(3);
    }

    @Test
    void shouldDoWhatWaitsWhenThereAreNoThreadsAnyMore() {
        execute("a", "b", "c");
        isShut = true;

        threads.forEach(Runnable::run);

        assertThat(done).containsExactlyInAnyOrder("a", "b", "c");
        assertThatThrownBy(() -> execute("d")).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void shouldDoWhatWaitsWhenSomethingBeforeItFails() {
        two.execute(() -> {
            throw new AssertionError("broken");
        });
        execute("a", "b", "c");

        threads.forEach(Runnable::run);

        assertThat(done).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void shouldDoOneAfterTheOtherWhenThereIsNoThreadForItAndOneHasFailed() {
        // given
        Deque<Runnable> threads = new ArrayDeque<>();
        boolean[] isFull = {false};
        AtMost serial = new AtMost(1, task -> {
            if (isFull[0]) {
                throw new Error("unable to create native thread");
            }
            threads.add(task);
        });
        List<Integer> done = new ArrayList<>();
        serial.execute(() -> {
            done.add(1);
            throw new IllegalStateException("half a thing");
        });
        serial.execute(() -> done.add(2));

        // when
        isFull[0] = true;
        threads.remove().run();

        // then
        assertThat(done).containsExactly(1, 2);

        // when
        isFull[0] = false;
        serial.execute(() -> done.add(3));
        threads.remove().run();

        // then
        assertThat(done).containsExactly(1, 2, 3);
    }
}
