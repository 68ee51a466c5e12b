package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Flows of one topic, opened once, and again when they have ended. */
class TopicFlowsTest {
    private final AtomicInteger opened = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Ends at its first use, or never has anything. */
    private record Flow(boolean broken) implements Inflow {
        @Override
        public @Nullable Delivery poll(Duration timeout) throws InterruptedException {
            if (broken) {
                throw new LinkException(LinkException.Code.FAILED, "broken");
            }
            new CountDownLatch(1).await();
            return null;
        }

        @Override
        public void acknowledge(Delivery last) {}

        @Override
        public long backlog() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private TopicFlows flows(boolean broken) {
        Link link = (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (self, method, arguments) -> {
                    opened.incrementAndGet();
                    return new Flow(broken);
                });
        return new TopicFlows(
                link,
                "agent",
                Thread::new,
                new TopicFlows.Handlers(frame -> {}, frame -> {}, reason -> ended.countDown()));
    }

    @Test
    void shouldOpenReceiptsOnceWhileTheyCome() {
        try (TopicFlows flows = flows(false)) {
            flows.openReceipts("t");
            flows.openReceipts("t");
            assertThat(opened).hasValue(1);
        }
    }

    @Test
    void shouldOpenReceiptsAgainWhenTheyHadEnded() throws InterruptedException {
        try (TopicFlows flows = flows(true)) {
            // given
            flows.openReceipts("t");
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();

            // when
            flows.openReceipts("t");

            // then
            assertThat(opened).hasValue(2);
        }
    }
}
