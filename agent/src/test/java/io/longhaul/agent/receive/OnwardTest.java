package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.DeliveryTarget;
import io.longhaul.storage.Disk;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class OnwardTest {
    @TempDir
    private Path directory;

    @Test
    void shouldGiveNoReceiptBeforeTheTargetHasIt() {
        // given
        Rig rig = new Rig(directory);
        List<String> carried = new ArrayList<>();
        rig.target = Optional.of((path, name) -> {
            assertThat(path).isEqualTo(rig.into.resolve("a/file")).exists();
            assertThat(rig.receipts()).isEmpty();
            carried.add(name);
            return CompletableFuture.completedFuture(null);
        });

        // when
        rig.open().publish(Shipment.file(1, "a/file", Shipment.random(1, 9_000)));
        rig.run();

        // then
        assertThat(carried).containsExactly("a/file");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.ended).hasSize(1);
    }

    @Test
    void shouldSayWhyAndLeaveNothingWhenTheTargetNeverWillHaveIt() {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of((path, name) -> CompletableFuture.failedFuture(
                new AgentException(AgentException.Code.TRANSFER_FAILED, name + ": Permission denied")));

        // when
        rig.open().publish(Shipment.file(1, "file", Shipment.random(1, 9_000)));
        rig.run();

        // then
        assertThat(rig.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.outcome()).isEqualTo(Receipt.Outcome.FAILED);
            assertThat(receipt.reason()).isEqualTo("file: Permission denied");
        });
        assertThat(rig.into.resolve("file")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("broken")
    void shouldFailTheTransferAloneWhenItsTargetBreaksItsContract(DeliveryTarget broken) {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of((path, name) ->
                name.equals("bad") ? broken.deliver(path, name) : CompletableFuture.completedFuture(null));

        // when
        rig.open().publish(Shipment.file(1, "bad", Shipment.random(1, 9_000)));
        rig.publish(Shipment.file(2, "good", Shipment.random(2, 9_000)));
        rig.run();

        // then
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.FAILED, Receipt.Outcome.DELIVERED);
        assertThat(rig.receipts().get(0).reason()).startsWith("target: ");
    }

    @ParameterizedTest
    @MethodSource("broken")
    void shouldTryAgainWhenTheTargetFailsWithWhatMayPass(DeliveryTarget broken) {
        // given
        Rig rig = new Rig(directory);
        List<String> tried = new ArrayList<>();
        rig.target = Optional.of((path, name) -> {
            tried.add(name);
            if (tried.size() > 2) {
                assertThat(rig.receipts())
                        .as("does not wait for the other")
                        .extracting(Receipt::path)
                        .containsExactly("two");
            }
            boolean down = name.equals("one") && Collections.frequency(tried, name) < Onward.MOST_TRIES;
            return down ? broken.deliver(path, name) : CompletableFuture.completedFuture(null);
        });

        // when
        List<Runnable> finishing = new ArrayList<>();
        rig.finisher = finishing::add;
        rig.open().publish(Shipment.file(1, "one", Shipment.random(1, 9_000)));
        rig.publish(Shipment.file(2, "two", Shipment.random(2, 9_000)));
        rig.run();
        finishing.forEach(Runnable::run);
        rig.run();

        // then
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
        assertThat(tried.stream().filter("two"::equals)).hasSize(1);
    }

    static Stream<DeliveryTarget> broken() {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        return Stream.of(
                (path, name) -> {
                    throw new IllegalStateException("broken");
                },
                (path, name) -> {
                    throw new NoClassDefFoundError("com/example/Server");
                },
                (path, name) -> null,
                (path, name) -> CompletableFuture.failedFuture(new java.io.IOException("no server")),
                (path, name) -> cancelled);
    }

    @Test
    void shouldGoOnWhenTheTargetFailsToHearThatATransferIsRecorded() {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of(new DeliveryTarget() {
            @Override
            public CompletableFuture<Void> deliver(Path path, String name) {
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public void recorded(Path path, String name) {
                throw new IllegalStateException("cannot remove " + name);
            }
        });

        // when
        rig.open().publish(Shipment.file(1, "one", Shipment.random(1, 9_000)));
        rig.publish(Shipment.file(2, "two", Shipment.random(2, 9_000)));
        rig.run();

        // then
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
    }

    @Test
    void shouldWaitForATargetThatLeavesTheThreadInterrupted() {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of((path, name) -> {
            Thread.currentThread().interrupt();
            return new CompletableFuture<Void>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS);
        });

        // when
        rig.open().publish(Shipment.file(1, "one", Shipment.random(1, 9_000)));
        rig.run();

        // then
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }

    /** Removes what is recorded, and notes what it was. */
    private static final class Mover implements DeliveryTarget {
        private final List<String> steps = new ArrayList<>();
        private Optional<Rig> killed = Optional.empty();

        @Override
        public CompletableFuture<Void> deliver(Path path, String name) {
            steps.add("carried " + text(path));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void recorded(Path path, String name) {
            if (killed.isPresent()) {
                killNow(killed.get());
                return;
            }
            steps.add(name + " recorded " + text(path));
            Disk.real().deleteTree(path);
        }

        private static String text(Path path) {
            try {
                return Files.readString(path);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Nothing more is done on disk or in the ledger. */
    private static void killNow(Rig rig) {
        rig.journal.crashAt(rig.journal.steps().size(), false);
    }

    private static void runUntilKilled(Rig rig) {
        assertThatThrownBy(rig::run).hasStackTraceContaining("Crash");
        assertThat(rig.journal.hasCrashed()).isTrue();
        rig.kill();
    }

    private static Shipment version(long number, String text) {
        return Shipment.file(number, "file", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldSayThatItIsRecordedBeforeTheNextOfItsNameGetsThere() {
        // given
        Rig rig = new Rig(directory);
        Mover mover = new Mover();
        rig.target = Optional.of(mover);

        // when
        rig.open();
        rig.publish(version(1, "old"));
        rig.publish(version(2, "new"));
        rig.run();

        // then
        assertThat(mover.steps).containsExactly("carried old", "file recorded old", "carried new", "file recorded new");
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
    }

    @Test
    void shouldSayThatItIsRecordedWhenTheProcessDiedBefore() {
        // given
        Rig rig = new Rig(directory);
        Mover mover = new Mover();
        mover.killed = Optional.of(rig);
        rig.target = Optional.of(mover);
        rig.open().publish(version(1, "old"));
        runUntilKilled(rig);

        // when
        mover.killed = Optional.empty();
        rig.open().run();

        // then
        assertThat(mover.steps).containsExactly("carried old", "file recorded old");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }

    @Test
    void shouldCarryItOnAgainWhenTheProcessDiedMeanwhile() {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of((path, name) -> {
            killNow(rig);
            return CompletableFuture.completedFuture(null);
        });
        rig.open().publish(Shipment.file(1, "file", Shipment.random(1, 9_000)));
        runUntilKilled(rig);

        // when
        List<String> carried = new ArrayList<>();
        rig.target = Optional.of((path, name) -> {
            assertThat(Files.exists(path)).isTrue();
            carried.add(name);
            return CompletableFuture.completedFuture(null);
        });
        rig.open().run();

        // then
        assertThat(carried).containsExactly("file");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }
}
