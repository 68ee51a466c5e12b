package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InOrderTest {
    private final List<Long> told = new ArrayList<>();
    private final InOrder order = new InOrder(told::add);

    @Test
    void shouldTellHowFarAllIsDone() {
        // given
        Runnable first = order.begin(1);
        Runnable second = order.begin(2);
        Runnable third = order.begin(3);

        // when then
        second.run();
        assertThat(told).isEmpty();
        first.run();
        assertThat(told).containsExactly(2L);
        third.run();
        third.run();
        assertThat(told).containsExactly(2L, 3L);
    }
}
