package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OncePerSecondTest {
    private final AtomicLong nowNs = new AtomicLong(-5);
    private final List<String> told = new ArrayList<>();
    private final OncePerSecond once = new OncePerSecond((kind, story) -> told.add(kind + ": " + story), nowNs::get);

    @Test
    void shouldTellOneStoryOfEachKindWhenManyComeWithinASecond() {
        // when
        for (int i = 0; i < 1000; i++) {
            once.accept("garbage", "from " + i);
            once.accept("silence", "from " + i);
            nowNs.addAndGet(TimeUnit.MICROSECONDS.toNanos(999));
        }

        // then
        assertThat(told).containsExactly("garbage: from 0", "silence: from 0");
    }

    @Test
    void shouldSayHowManyItKeptBackWhenTheSecondIsOver() {
        // given
        once.accept("garbage", "first");
        once.accept("garbage", "second");
        once.accept("garbage", "third");

        // when
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        once.accept("garbage", "fourth");
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        once.accept("garbage", "fifth");

        // then
        assertThat(told).containsExactly("garbage: first", "garbage: fourth (and 2 more before)", "garbage: fifth");
    }
}
