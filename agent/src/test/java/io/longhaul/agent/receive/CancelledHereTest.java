package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Delivered;
import io.longhaul.agent.Progress;
import io.longhaul.storage.Direction;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Receipt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transfer that somebody at the subscription gives up while it comes in. */
class CancelledHereTest {
    private static final String ID = Shipment.id(1).toString();

    @TempDir
    Path directory;

    private Rig rig;
    private Shipment file;
    private List<Frame> beginning;
    private List<Frame> rest;

    @BeforeEach
    void open() {
        rig = new Rig(directory).open();
        file = Shipment.file(1, "f", Shipment.random(1, 10 * Shipment.PIECE));
        List<Frame> frames = file.frames();
        beginning = frames.subList(0, 5);
        rest = frames.subList(5, frames.size());
    }

    private CompletableFuture<Void> asked() {
        return asked((transfer, task) -> {
            task.run();
            return true;
        });
    }

    private CompletableFuture<Void> asked(Unpromised unpromised) {
        return rig.pipeline().loop().cancel(ID, unpromised);
    }

    private CompletableFuture<Void> cancel() {
        CompletableFuture<Void> done = asked();
        rig.run();
        return done;
    }

    private TransferRow row() {
        return rig.ledger.transfer(Direction.INCOMING, ID, Rig.SUBSCRIPTION).orElseThrow();
    }

    private void assertGivenUp() {
        assertThat(row().state()).isEqualTo(TransferState.FAILED);
        assertThat(rig.ledger.safePieces(row().key()).isEmpty()).isTrue();
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.content()).isEmpty();
        assertThat(rig.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.outcome()).isEqualTo(Receipt.Outcome.FAILED);
            assertThat(receipt.reason()).isEqualTo(Receiver.CANCELLED);
        });
    }

    @Test
    void shouldDiscardWhatIsHereAndSaySo() {
        // given
        rig.publish(beginning);
        rig.run();
        assertThat(rig.leftovers()).isNotEmpty();

        // when
        CompletableFuture<Void> done = cancel();

        // then
        assertThat(done).isCompleted();
        assertGivenUp();
        assertThat(rig.ended).extracting(Delivered::name).containsExactly("f");
        assertThat(rig.progress).last().extracting(Progress::phase).isEqualTo("failed");
    }

    @Test
    void shouldRefuseAndGoOnWhenItIsPromised() {
        // given
        rig.publish(beginning);
        rig.run();

        // when
        CompletableFuture<Void> done = asked((transfer, task) -> false);
        rig.publish(rest);
        rig.run();

        // then
        assertThat(done.handle((nothing, failure) -> failure).join())
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("others were promised repairs of it");
        assertThat(rig.content()).containsOnlyKeys("f");
    }

    /** Its end may take longer to become durable than anybody waits for it. */
    @Test
    void shouldNotBePromisedBeforeItsEndIsDurableThoughNobodyWaitsForThat() {
        // given
        rig.publish(beginning);
        rig.run();
        List<TransferState> states = new ArrayList<>();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        done.add(asked((transfer, task) -> {
            done.get(0).cancel(false);
            states.add(row().state());
            task.run();
            states.add(row().state());
            return true;
        }));

        // when
        rig.run();

        // then
        assertThat(states).containsExactly(TransferState.RECEIVING, TransferState.FAILED);
        assertGivenUp();
    }

    @Test
    void shouldGoOnWhenWhoGaveItUpHasStoppedToWait() {
        // given
        rig.publish(beginning);
        rig.run();
        CompletableFuture<Void> done = asked();

        // when
        done.cancel(false);
        rig.publish(rest);
        rig.run();

        // then
        assertThat(rig.content()).containsKey("f");
    }

    @Test
    void shouldDropWhatStillComesAlsoAfterARestart() {
        // given
        rig.publish(beginning);
        rig.run();
        cancel();

        // when
        rig.publish(rest.subList(0, 2));
        rig.run();
        rig.kill();
        rig.open();
        rig.publish(rest);
        rig.run();

        // then
        assertGivenUp();
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldTakeTheSameFileWhenItIsPublishedAnew() {
        // given
        rig.publish(beginning);
        rig.run();
        cancel();
        byte[] content = Shipment.random(2, 50_000);

        // when
        rig.publish(Shipment.file(2, "f", content));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(content);
    }

    @Test
    void shouldMakeRoomWhileTheDiskIsFull() {
        // given
        rig.publish(beginning);
        rig.run();
        rig.journal.fullFor(step -> step.startsWith("write"));
        rig.publish(rest);
        List<CompletableFuture<Void>> done = new ArrayList<>();
        rig.whileAsleep = () -> {
            if (rig.sleeps == 3) {
                done.add(asked());
            }
        };

        // when
        rig.run(10_000_000_000L);

        // then
        assertThat(done).singleElement().satisfies(each -> assertThat(each).isCompleted());
        assertThat(rig.backlog()).isZero();
        assertGivenUp();
    }

    @Test
    void shouldSayWhenTheLedgerHasNoRoomAndKeepWhatIsHere() {
        // given
        rig.publish(beginning);
        rig.run();
        rig.journal.fullFor(step -> step.startsWith("commit"));
        rig.whileAsleep = () -> rig.journal.fullFor(step -> false);

        // when
        CompletableFuture<Void> done = cancel();

        // then
        assertThat(done).isCompletedExceptionally();
        assertThat(done.handle((nothing, failure) -> failure).join()).isInstanceOf(StorageException.class);
        assertThat(row().state()).isEqualTo(TransferState.RECEIVING);
        rig.publish(rest);
        rig.run();
        assertThat(rig.content()).containsOnlyKeys("f");
    }

    @Test
    void shouldRefuseWhenItIsAllHere() {
        // given
        List<Runnable> finishing = new ArrayList<>();
        rig.finisher = finishing::add;
        rig.publish(file);
        rig.run();

        // when
        CompletableFuture<Void> done = cancel();

        // then
        assertThat(done.handle((nothing, failure) -> failure).join())
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("all here");
        finishing.forEach(Runnable::run);
        rig.run();
        assertThat(rig.content()).containsOnlyKeys("f");
    }

    @Test
    void shouldRefuseWhenItIsNotKnownOrOver() {
        // given
        CompletableFuture<Void> unknown = cancel();
        rig.publish(file);
        rig.run();

        // when
        CompletableFuture<Void> over = cancel();

        // then
        assertThat(List.of(unknown, over))
                .allSatisfy(done -> assertThat(
                                done.handle((nothing, failure) -> failure).join())
                        .isInstanceOf(AgentException.class)
                        .hasMessageContaining(ID));
        assertThat(rig.content()).containsOnlyKeys("f");
    }

    @Test
    void shouldSaySoWhenTheSubscriptionIsServedAgain() {
        // given
        rig.publish(beginning);
        rig.run();
        rig.kill();

        // when
        UnservedTransfer.cancel(rig.context(), row());
        assertThat(Files.exists(rig.into.resolve(".longhaul").resolve(ID + "@" + Rig.SUBSCRIPTION)))
                .isFalse();
        rig.open();
        rig.publish(rest);
        rig.run();

        // then
        assertGivenUp();
        assertThat(rig.backlog()).isZero();
    }
}
