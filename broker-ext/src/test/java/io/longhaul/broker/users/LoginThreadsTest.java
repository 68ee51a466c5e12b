package io.longhaul.broker.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoginThreadsTest {
    private final LoginThreads threads = new LoginThreads("test-login", 2, 3);
    private final CountDownLatch held = new CountDownLatch(1);

    @AfterEach
    void close() {
        held.countDown();
        threads.close();
    }

    private boolean offerOneThatIsHeld(CountDownLatch begun) {
        return threads.offer(() -> {
            begun.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void shouldRunTasksOnNamedDaemons() {
        // given
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        // when
        boolean taken = threads.offer(() -> ran.complete(Thread.currentThread()));

        // then
        assertThat(taken).isTrue();
        Thread thread = ran.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(thread.getName()).isEqualTo("test-login-1");
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void shouldRefuseWhenAllThreadsAreBusyAndTooManyWait() throws InterruptedException {
        // given
        CountDownLatch begun = new CountDownLatch(2);
        List<Boolean> taken = new ArrayList<>();

        // when
        for (int i = 0; i < 2 + 3; i++) {
            taken.add(offerOneThatIsHeld(begun));
        }
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

        // then
        assertThat(taken).hasSize(5).containsOnly(true);
        assertThat(offerOneThatIsHeld(begun)).isFalse();
    }

    @Test
    void shouldGoOnWhenATaskFails() {
        // given
        threads.offer(() -> {
            throw new IllegalStateException("as it happens");
        });
        CompletableFuture<String> next = new CompletableFuture<>();

        // when
        threads.offer(() -> next.complete("ran"));

        // then
        assertThat(next.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("ran");
    }

    @Test
    void shouldRefuseWhenItIsClosed() {
        // when
        threads.close();

        // then
        assertThat(threads.offer(() -> {})).isFalse();
    }
}
