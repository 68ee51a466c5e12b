package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.PieceHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublisherFileTest extends OneBench {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, Bench.PIECE - 1, Bench.PIECE, Bench.PIECE + 1, 3 * Bench.PIECE, 300_001})
    void shouldSendExactlyTheBytesWhenFileHasAnyLength(int length) throws IOException {
        // given
        byte[] content = Bench.bytes(length, length);
        Path file = bench.file("in/some file.bin", content);
        Files.setLastModifiedTime(file, FileTime.from(1_600_000_000_123_456_789L, TimeUnit.NANOSECONDS));

        // when
        PublicationResult result = bench.publish(file);

        // then
        Rebuilt received = bench.received();
        assertThat(received.file()).isEqualTo(content);
        assertThat(received.manifest().name()).isEqualTo("some file.bin");
        assertThat(received.manifest().length()).isEqualTo(length);
        assertThat(received.manifest().modifiedNanos()).isEqualTo(1_600_000_000_123_456_789L);
        assertThat(result.length()).isEqualTo(length);
        assertThat(result.digest()).isEqualTo(received.seal().digest());
        assertThat(result.pieces()).isEqualTo((length + Bench.PIECE - 1) / Bench.PIECE);
        assertThat(result.resentPieces()).isZero();
        assertThat(bench.rows()).singleElement().satisfies(row -> {
            assertThat(row.state()).isEqualTo(TransferState.COMPLETED);
            assertThat(row.seal()).contains(result.digest());
            assertThat(bench.store.ledger().safePieces(row.key()).cardinality()).isEqualTo((int) result.pieces());
        });
    }

    @Test
    void shouldSendHolesWithoutBodiesWhenFileIsSparse() throws IOException {
        // given
        Path file = bench.file("sparse", new byte[0]);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(100L * Bench.PIECE + 17);
            sparse.seek(50L * Bench.PIECE + 5);
            sparse.write(1);
        }

        // when
        bench.publish(file);

        // then
        Rebuilt received = bench.received();
        assertThat(received.count(PieceHeader.Kind.HOLE)).isEqualTo(100);
        assertThat(received.count(PieceHeader.Kind.RANGE)).isEqualTo(1);
        assertThat(received.file()).hasSize(100 * Bench.PIECE + 17);
    }

    @Test
    void shouldKeepBodiesUntouchedAndMemoryBoundedWhenAcknowledgementsAreLate() {
        // given
        byte[] content = Bench.bytes(200 * Bench.PIECE, 3);
        Path file = bench.file("late", content);
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);

        // when
        Publication publication = bench.publisher.publish(bench.request(file));
        while (!publication.result().isDone()) {
            bench.link.acknowledge(1);
            Thread.onSpinWait();
        }

        // then
        assertThat(bench.received().file()).isEqualTo(content);
        assertThat(bench.link.faults()).isEmpty();
        assertThat(publication.progress().phase()).isEqualTo("done");
        assertThat(publication.progress().safeBytes()).isEqualTo(content.length);
    }

    @Test
    void shouldCountResentPiecesWhenLinkWasLost() {
        // given
        byte[] content = Bench.bytes(40 * Bench.PIECE, 4);
        Path file = bench.file("lost", content);
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
        Publication publication = bench.publisher.publish(bench.request(file));
        while (bench.link.inFlight() < 8) {
            Thread.onSpinWait();
        }

        // when
        bench.link.weather(MemoryLink.Weather.DOWN);
        int inFlight = bench.link.inFlight();
        bench.link.weather(MemoryLink.Weather.FAIR);
        PublicationResult result = Bench.await(publication);

        // then
        assertThat(bench.received().file()).isEqualTo(content);
        assertThat(result.resentPieces()).isBetween(1L, (long) inFlight + 16);
        assertThat(result.resentBytes()).isEqualTo(result.resentPieces() * Bench.PIECE);
    }

    @Test
    void shouldPublishTargetUnderTheLinksNameWhenSourceIsSymbolicLink() throws IOException {
        // given
        byte[] content = Bench.bytes(100, 5);
        Path link = directory.resolve("link");
        Files.createSymbolicLink(link, bench.file("target", content));

        // when
        bench.publish(link);

        // then
        assertThat(bench.received().manifest().name()).isEqualTo("link");
        assertThat(bench.received().file()).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"link/../f", "link/../sub/f", "link/../alone", "link/.././current"})
    void shouldPublishWhatTheSystemFindsWhenTheNameStepsUpBehindALink(String name) throws IOException {
        // given
        bench.file("f", Bench.bytes(100, 1));
        byte[] other = Bench.bytes(200, 2);
        bench.file("other/f", other);
        bench.file("other/alone", other);
        bench.file("other/sub/f", other);
        Files.createSymbolicLink(directory.resolve("other/current"), Path.of("f"));
        Path deep = Files.createDirectory(directory.resolve("other/deep"));
        Files.createSymbolicLink(directory.resolve("link"), deep);

        // when
        PublicationResult result = bench.publish(directory.resolve(name));

        // then
        assertThat(result.name()).isEqualTo(String.valueOf(Path.of(name).getFileName()));
        assertThat(bench.received().file()).isEqualTo(other);
    }

    @Test
    void shouldSayThatAFileOfAnotherFileSystemIsToBeAStream() throws IOException {
        // given
        try (FileSystem zip = FileSystems.newFileSystem(directory.resolve("z.zip"), Map.of("create", "true"))) {
            Path inside = Files.writeString(zip.getPath("/f"), "content");

            // then
            assertThatThrownBy(() -> bench.publisher.publish(bench.request(inside)))
                    .isInstanceOfSatisfying(
                            AgentException.class,
                            failure -> assertThat(failure.code()).isEqualTo(AgentException.Code.USAGE))
                    .hasMessageContaining("publish it as a stream");
        }
    }

    /** Made by Linux, as they are read: they tell 0 bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"/proc/version", "/proc/sys/kernel/random"})
    void shouldRefuseFilesThatTellLessThanTheyHave(String name) {
        // given
        Path made = Path.of(name);
        Assumptions.assumeTrue(Files.exists(made), "no Linux");

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(made)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("expected 0 bytes, as its file system says, found more");
    }

    @Test
    void shouldFailWithUsageWhenRequestIsWrong() throws Exception {
        // given
        Path file = bench.file("f", new byte[1]);
        Path fifo = directory.resolve("fifo");
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
        List<PublishRequest> wrong = List.of(
                bench.request(directory.resolve("missing")),
                bench.request(fifo),
                bench.request(file).withName("../up"),
                bench.request(file).withName(".longhaul/x"),
                bench.request(file).withPieceSize(100),
                bench.request(file).withReceipts(-1),
                bench.request(file).withReceiptsOf(List.of("no name")),
                PublishRequest.of(file, "no topic"));

        for (PublishRequest request : wrong) {
            // when
            assertThatThrownBy(() -> bench.publisher.publish(request))
                    // then
                    .isInstanceOfSatisfying(
                            AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.USAGE));
        }
        assertThat(bench.rows()).isEmpty();
    }

    @Test
    void shouldPublishEachWhenManyAreRequestedAtOnce() {
        // given
        List<Publication> publications = new ArrayList<>();

        // when
        for (int i = 0; i < 50; i++) {
            publications.add(bench.publisher.publish(bench.request(bench.file("many/" + i, Bench.bytes(i * 700, i)))));
        }

        // then
        publications.forEach(Bench::await);
        for (Publication publication : publications) {
            Rebuilt one = bench.received(publication.transfer());
            int number = Integer.parseInt(one.manifest().name());
            assertThat(one.file()).isEqualTo(Bench.bytes(number * 700, number));
        }
    }
}
