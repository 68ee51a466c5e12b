package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SessionPoolTest {
    private final Network network = new Network();

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldGiveTheLeaseBackWhenThereIsNoThreadToTalkOn() {
        // given
        ClientLimits limits = new ClientLimits(
                1,
                0,
                1,
                0,
                Duration.ofSeconds(20),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        ClientConfig config = ClientConfig.of(ServerUrl.parse("ftp://localhost:1/"), Credentials.anonymous())
                .withLimits(limits);
        AtomicBoolean isWithoutThreads = new AtomicBoolean(true);
        try (SessionPool pool = new SessionPool(config, network, System::nanoTime, task -> {
            if (isWithoutThreads.get()) {
                throw new Error("unable to create native thread");
            }
            return new Thread(task);
        })) {
            // when
            CompletableFuture<String> said =
                    pool.<String>talk(lease -> "said").orTimeout(Patience.SECONDS, TimeUnit.SECONDS);

            // then
            assertThatThrownBy(said::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendException.class, e -> assertThat(e.isAway()).isTrue());

            // when
            isWithoutThreads.set(false);

            // then
            assertThat(pool.talk(lease -> "said")
                            .orTimeout(Patience.SECONDS, TimeUnit.SECONDS)
                            .join())
                    .isEqualTo("said");
        }
    }

    private SessionPool pool(int sessions, int forCommands) {
        ClientConfig config = ClientConfig.of(ServerUrl.parse("ftp://localhost:1/"), Credentials.anonymous())
                .withLimits(ClientLimits.defaults().withSessions(sessions, forCommands));
        return new SessionPool(config, network, System::nanoTime);
    }

    private static String say(SessionPool pool) {
        return pool.<String>talk(lease -> "said")
                .orTimeout(Patience.SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void shouldSayCommandsWhenTransfersHaveAllTheirSessions() {
        try (SessionPool pool = pool(2, 1)) {
            // given
            SessionPool.Lease first = pool.lease().join();
            pool.lease().join();
            CompletableFuture<SessionPool.Lease> third = pool.lease();

            // then
            assertThat(third).isNotDone();
            assertThat(say(pool)).isEqualTo("said");
            assertThat(third).isNotDone();

            // when
            first.close();

            // then
            assertThat(third).isCompleted();
            assertThat(say(pool)).isEqualTo("said");
        }
    }

    @Test
    void shouldLetATransferWaitForASessionLongerThanACommand() {
        ClientLimits limits = ClientLimits.defaults()
                .withSessions(1, 0)
                .withTimes(Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofSeconds(1));
        ClientConfig config = ClientConfig.of(ServerUrl.parse("ftp://localhost:1/"), Credentials.anonymous())
                .withLimits(limits);
        try (SessionPool pool = new SessionPool(config, network, System::nanoTime)) {
            // given
            SessionPool.Lease first = pool.lease().join();
            assertThat(pool.isCrowded()).isFalse();
            CompletableFuture<SessionPool.Lease> second = pool.lease();

            // when
            for (int i = 0; i < 20; i++) {
                CompletableFuture<String> said = pool.talk(lease -> "said");
                assertThatThrownBy(said.orTimeout(Patience.SECONDS, TimeUnit.SECONDS)::join)
                        .hasMessageContaining("all 1 sessions are in use");
            }

            // then
            assertThat(second).isNotDone();
            assertThat(pool.isCrowded()).isTrue();

            // when
            first.close();

            // then
            assertThat(second).isCompleted();
            assertThat(pool.isCrowded()).isFalse();
        }
    }

    @Test
    void shouldSayCommandsWhenOthersTakeLong() {
        try (SessionPool pool = pool(2, 2)) {
            // given
            CountDownLatch isOver = new CountDownLatch(1);
            List<CompletableFuture<String>> sums = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sums.add(pool.talkLong(lease -> {
                    await(isOver);
                    return "sum";
                }));
            }

            // then
            assertThat(say(pool)).isEqualTo("said");

            // when
            isOver.countDown();

            // then
            assertThat(sums)
                    .allSatisfy(sum -> assertThat(sum.orTimeout(Patience.SECONDS, TimeUnit.SECONDS)
                                    .join())
                            .isEqualTo("sum"));
        }
    }

    @Test
    void shouldLeaveTransfersTheirSessionsWhenManyCommandsTakeLong() {
        try (SessionPool pool = pool(2, 2)) {
            // given
            CountDownLatch isOver = new CountDownLatch(1);
            for (int i = 0; i < 4; i++) {
                pool.talkLong(lease -> {
                    await(isOver);
                    return "sum";
                });
            }

            // when
            CompletableFuture<SessionPool.Lease> first = pool.lease();
            CompletableFuture<SessionPool.Lease> second = pool.lease();

            // then
            assertThat(first).isCompleted();
            assertThat(second).isCompleted();
            assertThat(say(pool)).isEqualTo("said");
            isOver.countDown();
        }
    }

    @Test
    void shouldSayNothingWhenItIsNotWantedAnyMore() {
        try (SessionPool pool = pool(1, 0)) {
            // given
            AtomicBoolean isSaid = new AtomicBoolean();
            SessionPool.Lease transfer = pool.lease().join();
            CompletableFuture<String> sum = pool.talkLong(lease -> {
                isSaid.set(true);
                return "sum";
            });

            // when
            sum.cancel(false);
            transfer.close();

            // then
            assertThat(say(pool)).isEqualTo("said");
            assertThat(isSaid).isFalse();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldShareTheSessionsWhenNoneAreForCommandsOnly() {
        try (SessionPool pool = pool(1, 0)) {
            // given
            SessionPool.Lease transfer = pool.lease().join();
            CompletableFuture<String> said = pool.talk(lease -> "said");
            assertThat(said).isNotDone();

            // when
            transfer.close();

            // then
            assertThat(said.orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join())
                    .isEqualTo("said");
        }
    }
}
