package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Flows of one topic, opened once, and again when they have ended. */
class TopicFlowsTest {
    private final AtomicInteger opened = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<String> called = new CopyOnWriteArrayList<>();

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
        return flows(topic -> {
            opened.incrementAndGet();
            return new Flow(broken);
        });
    }

    private interface Opening {
        Inflow of(String topic) throws InterruptedException;
    }

    private TopicFlows flows(Opening opening) {
        Link link = (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (self, method, arguments) -> {
                    called.add(method.getName());
                    return opening.of((String) arguments[0]);
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

    /** A queue that is kept would gather all receipts of the topic for ever, should this process be killed now. */
    @Test
    void shouldKeepNothingWhenItAsksForTheRightToPublish() {
        try (TopicFlows flows = flows(false)) {
            // when
            flows.requireRight("t");

            // then
            assertThat(called).containsExactly("requireReceipts");
            assertThat(flows.receiptTopics()).isEmpty();
        }
    }

    @Test
    void shouldSayWhichRightIsMissing() {
        try (TopicFlows flows = flows(topic -> {
            throw new LinkException(LinkException.Code.FORBIDDEN, "no right");
        })) {
            assertThatThrownBy(() -> flows.requireRight("t"))
                    .isInstanceOf(LinkException.class)
                    .hasMessage("the user has no right to publish to topic t");
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

    @Test
    void shouldOpenWhatWasKeptBeforeOnceTheBrokerIsThere() throws InterruptedException {
        // given
        CountDownLatch there = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        try (TopicFlows flows = flows(topic -> {
            if (opened.incrementAndGet() == 1) {
                throw new LinkException(LinkException.Code.UNREACHABLE, "away");
            }
            there.await();
            open.countDown();
            return new Flow(false);
        })) {
            // when
            flows.openKeptReceipts("t");
            flows.openKeptReceipts("t");
            there.countDown();

            // then
            assertThat(open.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(opened).hasValue(2);
            assertThat(flows.receiptTopics()).containsExactly("t");
        }
    }

    @Test
    void shouldTellWhyWhatWasKeptBeforeIsNotOpened() throws InterruptedException {
        try (TopicFlows flows = flows(topic -> {
            throw new LinkException(LinkException.Code.FORBIDDEN, "no right any more");
        })) {
            // when
            flows.openKeptReceipts("t");

            // then
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(flows.receiptTopics()).isEmpty();
        }
    }

    @Test
    void shouldNotKeepOtherTopicsWaitingWhileTheBrokerIsWaitedFor() throws Exception {
        // given
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (TopicFlows flows = flows(topic -> {
            if (topic.equals("slow")) {
                asked.countDown();
                answer.await();
            }
            return new Flow(false);
        })) {
            flows.openReceipts("t");
            CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> flows.openReceipts("slow"));
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

            // when
            CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
                flows.openReceipts("t");
                flows.openReceipts("u");
                flows.openHolders("t");
            });

            // then
            try {
                assertThat(others).succeedsWithin(Duration.ofSeconds(10));
                assertThat(flows.receiptTopics()).containsExactlyInAnyOrder("t", "u");
            } finally {
                answer.countDown();
            }
            assertThat(slow).succeedsWithin(Duration.ofSeconds(10));
            assertThat(flows.receiptTopics()).containsExactlyInAnyOrder("t", "u", "slow");
        }
    }
}
