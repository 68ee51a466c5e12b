package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.TransferEnd;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublisherResumeTest extends OneBench {
    private static final int PIECES = 60;
    private static final int WINDOW_PIECES = 64 * 1024 / Bench.PIECE;

    /** Starts to publish and lets so many pieces become safe, with the acknowledgements recorded or not. */
    private Publication halfWay(Path source, int safePieces) {
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
        Publication publication = bench.publisher.publish(bench.request(source));
        // One more for the manifest.
        for (int safe = 0; safe <= safePieces; safe += bench.link.acknowledge(1)) {
            Thread.onSpinWait();
        }
        return publication;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 17, 40})
    void shouldGoOnWithTheSameTransferWhenProcessWasKilled(int safePieces) {
        // given
        byte[] content = Bench.bytes(PIECES * Bench.PIECE - 5, 1);
        Path file = bench.file("f", content);
        String first = halfWay(file, safePieces).transfer();
        bench.delay.fire();

        // when
        bench.restart();
        Publication again = bench.publisher.publish(bench.request(file));
        PublicationResult result = Bench.await(again);

        // then
        assertThat(again.transfer()).isEqualTo(first);
        assertThat(bench.received().file()).isEqualTo(content);
        assertThat(result.resentPieces()).isLessThanOrEqualTo(WINDOW_PIECES);
        assertThat(bench.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.state()).isEqualTo(TransferState.COMPLETED));
    }

    @Test
    void shouldGoOnWithEverythingWhenToldToResumeAll() {
        // given
        byte[] content = Bench.bytes(PIECES * Bench.PIECE, 2);
        Publication first = halfWay(bench.file("f", content), 5);
        assertThat(first.progress().phase()).isEqualTo("sending");

        assertThat(bench.publisher.endOf(first.transfer())).isEmpty();

        // when
        bench.restart();
        List<Publication> resumed = bench.publisher.resumeAll();

        // then
        assertThat(resumed).extracting(Publication::transfer).containsExactly(first.transfer());
        resumed.forEach(Bench::await);
        assertThat(bench.publisher.endOf(first.transfer())).contains(TransferEnd.COMPLETED);
        assertThat(bench.received().file()).isEqualTo(content);
        assertThat(bench.publisher.resumeAll()).isEmpty();
        assertThat(bench.publisher.find(first.transfer())).isEmpty();
    }

    @Test
    void shouldFailAsInterruptedAndStayResumableWhenPublisherIsClosed() {
        // given
        Publication publication = halfWay(bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2)), 5);

        // when
        bench.publisher.close();

        // then
        assertThat(Bench.failure(publication).code()).isEqualTo(AgentException.Code.INTERRUPTED);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.SENDING);
        assertThat(bench.store.ledger().safePieces(bench.rows().get(0).key()).cardinality())
                .isEqualTo(5);
    }

    @Test
    void shouldBeginAnewWhenTheOneThatDoesNotRunYetWasGivenUp() {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        String first = halfWay(file, 3).transfer();
        bench.restart();
        bench.link.weather(MemoryLink.Weather.STALLED);
        bench.publisher.find(first).orElseThrow().cancel();

        // when
        Publication anew = bench.publisher.publish(bench.request(file));
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        assertThat(anew.transfer()).isNotEqualTo(first);
        Bench.await(anew);
        while (bench.publisher.find(first).isPresent()) {
            Thread.onSpinWait();
        }
        assertThat(bench.rows())
                .extracting(row -> row.state())
                .containsExactly(TransferState.CANCELLED, TransferState.COMPLETED);
    }

    @Test
    void shouldBeginAnewAndCancelTheOldWhenSourceChangedBeforeTheSecondCall() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        String first = halfWay(file, 5).transfer();
        bench.restart();
        byte[] changed = Bench.bytes(PIECES * Bench.PIECE, 3);
        Files.write(file, changed);

        // when
        Publication again = bench.publisher.publish(bench.request(file));
        Bench.await(again);

        // then
        assertThat(again.transfer()).isNotEqualTo(first);
        while (bench.received(first).cancels.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(bench.received(again.transfer()).file()).isEqualTo(changed);
        assertThat(bench.rows())
                .extracting(row -> row.state())
                .containsExactly(TransferState.FAILED, TransferState.COMPLETED);
    }

    @Test
    void shouldFailAndTellReceiversWhenSourceVanishedBeforeResume() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        halfWay(file, 5);
        bench.restart();
        Files.delete(file);

        // when
        Publication resumed = bench.publisher.resumeAll().get(0);

        // then
        AgentException failure = Bench.failure(resumed);
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining(file.toString());
        assertThat(bench.received().cancels).hasSize(1);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
    }

    @Test
    void shouldFailWhenSourceIsWrittenToWhileItIsRead() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        Publication publication = halfWay(file, 3);

        // when
        Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        AgentException failure = Bench.failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("changed while it was read");
        assertThat(bench.received().seals).isEmpty();
        assertThat(bench.received().cancels).hasSize(1);
    }

    @Test
    void shouldFailWhenSourceIsWrittenToWhileItIsReadAndItsTimeIsSetBack() throws IOException {
        // given
        byte[] content = Bench.bytes(PIECES * Bench.PIECE, 5);
        Path file = bench.file("f", content);
        Publication publication = halfWay(file, 2);
        FileTime before = Files.getLastModifiedTime(file);

        // when
        Files.write(file, Bench.bytes(content.length, 6));
        Files.setLastModifiedTime(file, before);
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        assertThat(Bench.failure(publication)).hasMessageContaining("changed while it was read");
    }

    /** As a backup does that names every file once more. */
    @Test
    void shouldGoOnWhenTheSourceGotAnotherNameBetweenRuns() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 1));
        String first = halfWay(file, 17).transfer();

        // when
        bench.restart();
        Files.createLink(directory.resolve("backup"), file);
        Publication again = bench.publisher.publish(bench.request(file));

        // then
        Bench.await(again);
        assertThat(again.transfer()).isEqualTo(first);
    }

    @Test
    void shouldBeginAnewWhenTheModeOfTheSourceWasChangedBetweenRuns() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 1));
        String first = halfWay(file, 17).transfer();

        // when
        bench.restart();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-x------"));
        Publication again = bench.publisher.publish(bench.request(file));

        // then
        Bench.await(again);
        assertThat(again.transfer()).isNotEqualTo(first);
        assertThat(bench.received(again.transfer()).manifests)
                .extracting(Manifest::mode)
                .containsExactly(0500);
    }

    @Test
    void shouldFailWhenSourceIsCutShortWhileItIsRead() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        Publication publication = halfWay(file, 3);

        // when
        Files.write(file, new byte[10]);
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        assertThat(Bench.failure(publication)).hasMessageContaining("changed while it was read");
    }

    @Test
    void shouldFailWhenNameIsAddedToTreeWhileItIsRead() throws IOException {
        // given
        for (int i = 0; i < PIECES; i++) {
            bench.file("top/" + i, Bench.bytes(Bench.PIECE, i));
        }
        // times of files may tick in milliseconds: what is added in the tick of the last name is not seen
        Files.setLastModifiedTime(directory.resolve("top"), java.nio.file.attribute.FileTime.fromMillis(1));
        Publication publication = halfWay(directory.resolve("top"), 3);

        // when
        bench.file("top/0new", new byte[1]);
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        assertThat(Bench.failure(publication)).hasMessageContaining("changed while it was read");
    }

    @Test
    void shouldGoOnWhenTreeWasHalfSent() {
        // given
        for (int i = 0; i < 200; i++) {
            bench.file("top/" + i, Bench.bytes(i * 37, i));
        }
        String first = halfWay(directory.resolve("top"), 9).transfer();
        bench.delay.fire();

        // when
        bench.restart();
        Publication again = bench.publisher.publish(bench.request(directory.resolve("top")));
        PublicationResult result = Bench.await(again);

        // then
        assertThat(again.transfer()).isEqualTo(first);
        assertThat(bench.received().tree()).hasSize(200);
        assertThat(result.resentBytes()).isLessThanOrEqualTo(WINDOW_PIECES * Bench.PIECE);
    }

    @Test
    void shouldFailWhenFileOfTreeWasTouchedBetweenRuns() throws IOException {
        // given
        for (int i = 0; i < 200; i++) {
            bench.file("top/" + i, Bench.bytes(i * 37, i));
        }
        halfWay(directory.resolve("top"), 9);
        bench.delay.fire();
        bench.restart();
        Files.setLastModifiedTime(directory.resolve("top/100"), java.nio.file.attribute.FileTime.fromMillis(1));

        // when
        Publication resumed = bench.publisher.resumeAll().get(0);

        // then
        assertThat(Bench.failure(resumed)).hasMessageContaining("changed since the transfer began");
        assertThat(bench.received().cancels).hasSize(1);
    }

    @Test
    void shouldCountAReceiptThatCameBetweenALookAndGoingOn() {
        // given
        Publication first = bench.publisher.publish(bench.request(bench.file("f", Bench.bytes(2 * Bench.PIECE, 1)))
                .withReceipts(1));
        bench.passUntil(() -> bench.rows().stream().anyMatch(row -> row.state() == TransferState.SENT));
        bench.restart();
        Publication looked = bench.publisher.find(first.transfer()).orElseThrow();
        bench.publisher.receipt(bench.receipt(first, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));

        // when
        Publication again = bench.publisher.resume(first.transfer()).orElseThrow();

        // then
        assertThat(again).isSameAs(looked);
        assertThat(again.receipts()).hasSize(1);
        Bench.await(again);
    }

    @Test
    void shouldTellReceiversAtTheNextStartWhenTheyCouldNotBeToldBefore() {
        // given
        Publication publication = halfWay(bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2)), 5);
        bench.link.weather(MemoryLink.Weather.STALLED);
        publication.cancel();
        bench.passUntilOver(publication);
        assertThat(Bench.failure(publication)).hasMessageContaining("cancelled");
        assertThat(bench.received().cancels).isEmpty();

        // when
        bench.restart();
        bench.publisher.resumeAll();

        // then
        while (bench.received().cancels.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.CANCELLED);
    }

    @Test
    void shouldBeginAnewBesideTheOldWhenFileChangedAfterItWasSent() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(3 * Bench.PIECE, 2));
        Publication waiting = bench.publisher.publish(bench.request(file).withReceipts(1));
        while (!waiting.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        bench.restart();
        byte[] changed = Bench.bytes(2 * Bench.PIECE, 3);
        Files.write(file, changed);

        // when
        Publication again = bench.publisher.publish(bench.request(file));
        Bench.await(again);

        // then
        assertThat(again.transfer()).isNotEqualTo(waiting.transfer());
        assertThat(bench.received(again.transfer()).file()).isEqualTo(changed);
        assertThat(bench.rows())
                .extracting(row -> row.state())
                .containsExactly(TransferState.SENT, TransferState.COMPLETED);
    }

    @Test
    void shouldBeginAnewWhenTreeChangedDeepInsideAfterItWasSent() throws IOException {
        // given
        bench.file("top/a/b/c", new byte[] {1});
        Path top = directory.resolve("top");
        Publication waiting = bench.publisher.publish(bench.request(top).withReceipts(1));
        while (!waiting.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        assertThat(bench.publisher.publish(bench.request(top))).isSameAs(waiting);

        // when
        Files.setLastModifiedTime(top.resolve("a/b/c"), java.nio.file.attribute.FileTime.fromMillis(5));
        Publication again = bench.publisher.publish(bench.request(top));

        // then
        Bench.await(again);
        assertThat(again).isNotSameAs(waiting);
    }
}
