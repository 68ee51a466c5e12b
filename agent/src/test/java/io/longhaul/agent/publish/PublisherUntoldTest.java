package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Job;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that is killed when a transfer is completed, before somebody was told of it or after. */
class PublisherUntoldTest extends OneBench {
    private Path file;

    @BeforeEach
    void writeFile() {
        file = bench.file("f", Bench.bytes(3 * Bench.PIECE, 1));
    }

    private long manifests() {
        return bench.frames().stream().filter(Manifest.class::isInstance).count();
    }

    /** Lets time pass until the ledger knows that everybody was told. */
    private void passTelling() {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (bench.rows().stream()
                .anyMatch(row -> OutgoingDetail.parse(row.detail()).session() != 0)) {
            assertThat(System.nanoTime()).as("not reached").isLessThan(deadlineNs);
            bench.delay.fire();
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldTellAgainAndSendNothingWhenProcessWasKilledAfterTheEnd() {
        // given
        PublicationResult first = bench.publish(file);
        bench.restart();

        // when
        Publication again = bench.publisher.publish(bench.request(file));
        PublicationResult result = Bench.await(again);

        // then
        assertThat(result.transfer()).isEqualTo(first.transfer());
        assertThat(result.digest()).isEqualTo(first.digest());
        assertThat(result.length()).isEqualTo(first.length());
        assertThat(result.pieces()).isEqualTo(first.pieces());
        assertThat(again.progress().safeBytes()).isEqualTo(first.length());
        assertThat(again.progress().phase()).isEqualTo("done");
        Bench.await(again.spooled());
        again.cancel();
        assertThat(bench.received().manifests).hasSize(1);
        assertThat(bench.received().cancels).isEmpty();
        assertThat(bench.rows()).hasSize(1);
    }

    @Test
    void shouldTellAgainOnlyOnceWhenTheSameIsAskedTwice() {
        // given
        bench.publish(file);
        bench.restart();
        bench.publish(file);

        // when
        bench.publish(file);

        // then
        assertThat(manifests()).isEqualTo(2);
    }

    @Test
    void shouldSendAnewWhenProcessWasKilledAfterItHadTold() {
        // given
        bench.publish(file);
        passTelling();
        bench.restart();

        // when
        bench.publish(file);

        // then
        assertThat(manifests()).isEqualTo(2);
    }

    /** One of several files of a command, whose result was printed long before the command was killed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellAgainWhenItsJobWasInterruptedLater(boolean inOrder) {
        // given
        Job job = new Job();
        bench.job = Optional.of(job);
        bench.restart();
        PublicationResult first = bench.publish(file);
        for (int i = 0; i < 10; i++) {
            bench.delay.fire();
        }

        // when
        if (inOrder) {
            bench.restartInOrder();
        } else {
            bench.restart();
        }

        // then
        assertThat(bench.publish(file).transfer()).isEqualTo(first.transfer());

        // when
        job.end();
        bench.restartInOrder();

        // then
        assertThat(bench.publish(file).transfer()).isNotEqualTo(first.transfer());
    }

    @Test
    void shouldSendAnewWhenProcessWasKilledAfterItHadToldAgain() {
        // given
        bench.publish(file);
        bench.restart();
        bench.publish(file);
        passTelling();
        bench.restart();

        // when
        bench.publish(file);

        // then
        assertThat(manifests()).isEqualTo(2);
    }

    @Test
    void shouldTellAgainWhenProcessWasKilledInsideTheListenerOfTheResult() {
        // given
        PublishRequest request = bench.request(file).withReceipts(1);
        Publication first = bench.publisher.publish(request);
        CompletableFuture<Void> listener = first.result().thenRun(bench.delay::fire);
        bench.publisher.receipt(bench.receipt(first, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));
        Bench.await(listener);
        bench.restart();

        // then
        assertThat(Bench.await(bench.publisher.publish(request)).transfer()).isEqualTo(first.transfer());
    }

    @Test
    void shouldTellAgainOnlyOfTheLaterOneWhenTheSameWasSentTwice() {
        // given
        bench.publish(file);
        String second = bench.publish(file).transfer();
        bench.restart();
        assertThat(bench.publish(file).transfer()).isEqualTo(second);
        passTelling();
        bench.restart();

        // when
        bench.publish(file);

        // then
        assertThat(manifests()).isEqualTo(3);
    }

    @Test
    void shouldSendAnewWhenProcessEndedInOrder() {
        // given
        bench.publish(file);
        bench.restartInOrder();

        // when
        bench.publish(file);

        // then
        assertThat(manifests()).isEqualTo(2);
    }

    @Test
    void shouldSendAnewWhenSourceHasChanged() throws IOException {
        // given
        bench.publish(file);
        bench.restart();
        byte[] changed = Bench.bytes(3 * Bench.PIECE, 2);
        Files.write(file, changed);

        // when
        PublicationResult result = bench.publish(file);

        // then
        assertThat(bench.received(result.transfer()).file()).isEqualTo(changed);
        assertThat(bench.rows()).hasSize(2);
    }

    @Test
    void shouldTellAgainAfterSeveralKillsInARow() {
        // given
        String first = bench.publish(file).transfer();
        bench.restart();
        bench.restart();

        // then
        assertThat(bench.publish(file).transfer()).isEqualTo(first);
    }

    @Test
    void shouldTellReceiptsAgainWhenTheyWereAwaited() {
        // given
        PublishRequest request = bench.request(file).withReceipts(1);
        Publication first = bench.publisher.publish(request);
        bench.publisher.receipt(bench.receipt(first, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));
        Bench.await(first);
        bench.restart();

        // when
        PublicationResult result = Bench.await(bench.publisher.publish(request));

        // then
        assertThat(result.transfer()).isEqualTo(first.transfer());
        assertThat(result.receipts()).hasSize(1);
    }

    @Test
    void shouldSendAnewWhenMoreReceiptsAreAskedFor() {
        // given
        String first = bench.publish(file).transfer();
        bench.restart();

        // when
        PublishRequest request = bench.request(file).withReceipts(1);
        Publication second = bench.publisher.publish(request);
        bench.publisher.receipt(bench.receipt(second, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));
        Bench.await(second);

        // then
        assertThat(second.transfer()).isNotEqualTo(first);

        // and
        passTelling();
        bench.restart();
        assertThat(bench.publish(file).transfer()).isNotIn(first, second.transfer());
    }

    @Test
    void shouldTellAgainWhenSpooledSourceIsGone() throws IOException {
        // given
        PublishRequest request = bench.request(file).withSpool(true);
        String first = Bench.await(bench.publisher.publish(request)).transfer();
        bench.restart();
        Files.delete(file);

        // then
        assertThat(Bench.await(bench.publisher.publish(request)).transfer()).isEqualTo(first);
        assertThatThrownBy(() -> bench.publisher.publish(request)).isInstanceOf(AgentException.class);
    }

    @Test
    void shouldTellAgainOnlyWithItsSourceWhenItWasNotSpooled() throws IOException {
        // given
        Path mounted = bench.file("mounted/f", Bench.bytes(3 * Bench.PIECE, 1));
        String first = bench.publish(mounted).transfer();
        bench.restart();
        Path away = Files.move(directory.resolve("mounted"), directory.resolve("away"));

        // then
        assertThatThrownBy(() -> bench.publish(mounted))
                .isInstanceOf(AgentException.class)
                .extracting(e -> ((AgentException) e).code())
                .isEqualTo(AgentException.Code.USAGE);

        // and
        Files.move(away, directory.resolve("mounted"));
        assertThat(bench.publish(mounted).transfer()).isEqualTo(first);
    }

    @Test
    void shouldTellAgainWhenItIsATree() throws IOException {
        // given
        Path tree = bench.file("tree/a", Bench.bytes(100, 1)).getParent();
        String first = bench.publish(tree).transfer();
        bench.restart();

        // then
        assertThat(bench.publish(tree).transfer()).isEqualTo(first);

        // and
        bench.restart();
        Files.write(tree.resolve("a"), Bench.bytes(100, 2));
        assertThat(bench.publish(tree).transfer()).isNotEqualTo(first);
    }
}
