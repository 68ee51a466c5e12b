package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LaneTest {
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final Lane lane = new Lane(threads::add, 2);
    private final List<Integer> ran = new ArrayList<>();

    @Test
    void shouldStartOnlySoManyAtOnceAndTheOthersInOrder() {
        // given
        for (int i = 0; i < 5; i++) {
            int number = i;
            lane.submit(() -> ran.add(number));
        }
        assertThat(threads).hasSize(2);

        // when
        threads.forEach(Runnable::run);

        // then
        assertThat(ran).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldRunThoseOfOneKeyOneAfterTheOtherAndNotHoldUpOthers() {
        // given
        lane.submit("a", () -> {
            ran.add(1);
            threads.removeLast().run(); // as another thread would meanwhile
            ran.add(2);
        });
        lane.submit("a", () -> ran.add(3));
        lane.submit("b", () -> ran.add(4));

        // when
        threads.removeFirst().run();

        // then
        assertThat(ran).containsExactly(1, 4, 2, 3);
        assertThat(threads).isEmpty();
    }

    @Test
    void shouldTakeNoThreadForATaskThatWaitsForAnotherOfItsKey() {
        // given
        Lane wide = new Lane(threads::add, Integer.MAX_VALUE);
        wide.submit("a", () -> {
            wide.submit("a", () -> ran.add(2));
            ran.add(1);
        });

        // when
        threads.removeFirst().run();

        // then
        assertThat(ran).containsExactly(1, 2);
        assertThat(threads).isEmpty();
    }

    @Test
    void shouldGoOnWhenATaskFails() {
        // given
        lane.submit(() -> {
            throw new IllegalStateException("expected by the test");
        });
        lane.submit(() -> {
            throw new NoClassDefFoundError("expected by the test");
        });
        lane.submit(() -> ran.add(1));

        // when
        threads.forEach(Runnable::run);
        threads.clear();
        lane.submit(() -> ran.add(2));
        threads.forEach(Runnable::run);

        // then
        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void shouldKeepATaskForTheNextThreadWhenThereIsNone() {
        // given
        AtomicInteger missing = new AtomicInteger(2);
        Lane starved = new Lane(
                task -> {
                    if (missing.getAndDecrement() > 0) {
                        throw new InternalError("expected by the test");
                    }
                    threads.add(task);
                },
                2);
        starved.submit(() -> ran.add(1));
        starved.submit(() -> ran.add(2));

        // when
        starved.submit(() -> ran.add(3));
        threads.forEach(Runnable::run);

        // then
        assertThat(ran).containsExactly(1, 2, 3);
    }
}
