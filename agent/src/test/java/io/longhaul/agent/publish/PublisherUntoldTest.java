package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed when a transfer is completed and nobody was told. */
class PublisherUntoldTest {
    @TempDir
    Path directory;

    private Bench bench;
    private Path file;

    @BeforeEach
    void open() {
        bench = new Bench(directory);
        file = bench.file("f", Bench.bytes(3 * Bench.PIECE, 1));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private long manifests() {
        return bench.frames().stream().filter(Manifest.class::isInstance).count();
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

        // then
        assertThat(bench.publisher.publish(bench.request(file).withReceipts(1)).transfer())
                .isNotEqualTo(first);
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
