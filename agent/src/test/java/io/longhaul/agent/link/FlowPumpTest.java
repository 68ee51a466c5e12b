package io.longhaul.agent.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.StorageException;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Frame;
import io.longhaul.wire.TransferId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FlowPumpTest {
    private final List<String> steps = new ArrayList<>();

    /** Brings one frame, and then the news that the link is closed. */
    private final class OneFrame implements Inflow {
        private boolean polled;

        @Override
        public @Nullable Delivery poll(Duration timeout) {
            if (polled) {
                throw new LinkException(LinkException.Code.CLOSED, "closed");
            }
            polled = true;
            return new Delivery(Optional.of(new Cancel(new TransferId(1, 1), "")), "", Optional.empty(), 0, this);
        }

        @Override
        public void acknowledge(Delivery last) {
            steps.add("acknowledge");
        }

        @Override
        public long backlog() {
            return 0;
        }

        @Override
        public void close() {
            steps.add("close");
        }
    }

    private void pump(Consumer<Frame> handler) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        new FlowPump(
                        "flow",
                        OneFrame::new,
                        handler,
                        reason -> steps.add(reason.code() + " " + reason.getMessage()),
                        task -> {
                            Thread thread = new Thread(task);
                            threads.add(thread);
                            return thread;
                        },
                        time -> steps.add("wait " + time))
                .start();
        threads.get(0).join();
    }

    @ParameterizedTest
    @EnumSource(
            value = StorageException.Code.class,
            names = {"NO_SPACE", "IO", "LOST"})
    void shouldHandOverAgainBeforeAcknowledgingWhenTheDiskDidNotTakeIt(StorageException.Code code)
            throws InterruptedException {
        // when
        pump(frame -> {
            steps.add("handle");
            if (steps.size() < 5) {
                throw new CompletionException(new StorageException(code, "disk is full"));
            }
        });

        // then
        assertThat(steps)
                .containsExactly("handle", "wait PT1S", "handle", "wait PT1S", "handle", "acknowledge", "close");
    }

    @Test
    void shouldGoOnWithTheNextAfterThirtyFailuresOfTheDisk() throws InterruptedException {
        // when
        pump(frame -> {
            steps.add("handle");
            throw new StorageException(StorageException.Code.IO, "Permission denied");
        });

        // then
        assertThat(steps).filteredOn("handle"::equals).hasSize(30);
        assertThat(steps).endsWith("handle", "acknowledge", "close");
    }

    @Test
    void shouldAcknowledgeWhatWouldFailAgain() throws InterruptedException {
        // when
        pump(frame -> {
            throw new IllegalStateException("never");
        });

        // then
        assertThat(steps).containsExactly("acknowledge", "close");
    }

    @Test
    void shouldSayThatItEndsOnceItIsClosedWhenAnErrorEndsIt() throws InterruptedException {
        // when
        pump(frame -> {
            throw new StackOverflowError("too deep");
        });

        // then
        assertThat(steps).hasSize(2).first().isEqualTo("close");
        assertThat(steps.get(1)).startsWith("FAILED flow").contains("too deep");
    }
}
