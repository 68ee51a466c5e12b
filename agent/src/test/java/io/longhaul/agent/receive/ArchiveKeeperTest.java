package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Progress;
import io.longhaul.agent.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** When an archive is looked through for what it is no longer to keep. */
class ArchiveKeeperTest {
    private final List<Duration> pauses = new ArrayList<>();
    private final List<Runnable> due = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final Archive archive = new Archive(new CompletableFuture<>());
    private long nowNs;

    private record Archive(CompletableFuture<Void> closed) implements Subscription {
        @Override
        public String topic() {
            return "t";
        }

        @Override
        public String name() {
            return "a";
        }

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public List<Progress> progress() {
            return List.of();
        }

        @Override
        public void close() {
            closed.complete(null);
        }
    }

    private ArchiveKeeper keeper(IntSupplier pruning) {
        return new ArchiveKeeper(
                pruning,
                archive,
                (pause, task) -> {
                    pauses.add(pause);
                    due.add(task);
                },
                () -> nowNs,
                notices::add);
    }

    private void look() {
        due.remove(0).run();
    }

    @Test
    void shouldLookLessOftenButEveryMinuteWhenALookTakesLong() {
        // given
        List<Duration> takes = new ArrayList<>(
                List.of(Duration.ofMillis(1), Duration.ofMillis(400), Duration.ofHours(1), Duration.ZERO));
        keeper(() -> {
                    nowNs += takes.remove(0).toNanos();
                    return 0;
                })
                .begin();

        // when
        look();
        look();
        look();
        look();

        // then
        assertThat(pauses)
                .containsExactly(
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(20),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5));
        assertThat(notices).isEmpty();
    }

    @Test
    void shouldTellOfWhatWentAndOfWhatFailed() {
        // given
        List<Integer> pruned = new ArrayList<>(List.of(3));
        keeper(() -> pruned.remove(0)).begin();

        // when
        look();
        look();

        // then
        assertThat(notices).hasSize(2);
        assertThat(notices.get(0)).isEqualTo("archive of topic t: transfers no longer retained: 3");
        assertThat(notices.get(1)).startsWith("archive of topic t: nothing was removed: ");
        assertThat(due).hasSize(1);
    }

    @Test
    void shouldEndWithItsSubscription() {
        // given
        keeper(() -> 1).begin();

        // when
        archive.close();
        look();

        // then
        assertThat(due).isEmpty();
        assertThat(notices).isEmpty();
    }
}
