package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OneAtATimeTest {
    @Test
    void shouldDoWhatWaitsWhenThereIsNoThreadForItAndOneHasFailed() {
        // given
        Deque<Runnable> threads = new ArrayDeque<>();
        boolean[] isFull = {false};
        OneAtATime serial = new OneAtATime(task -> {
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
