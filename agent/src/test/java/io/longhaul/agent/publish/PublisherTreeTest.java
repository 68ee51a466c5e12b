package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.SymlinkPolicy;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.PieceHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublisherTreeTest extends OneBench {
    private Path top;

    @BeforeEach
    void makeTop() throws IOException {
        top = Files.createDirectory(directory.resolve("top"));
    }

    @Test
    void shouldSendEveryKindOfEntryWhenTreeHasAll() throws IOException {
        // given
        byte[] large = Bench.bytes(3 * Bench.PIECE + 1, 1);
        bench.file("top/b/large", large);
        bench.file("top/b/small", new byte[] {1, 2, 3});
        bench.file("top/b/empty", new byte[0]);
        Files.createDirectories(top.resolve("a/empty dir"));
        Files.createSymbolicLink(top.resolve("link"), Path.of("b/small"));
        Files.createSymbolicLink(top.resolve("dangling"), Path.of("nowhere"));
        Files.setPosixFilePermissions(top.resolve("b/small"), PosixFilePermissions.fromString("r-x--x---"));
        Files.setLastModifiedTime(
                top.resolve("a/empty dir"), FileTime.from(1_500_000_000_000_000_001L, TimeUnit.NANOSECONDS));

        // when
        PublicationResult result = bench.publish(top);

        // then
        Rebuilt received = bench.received();
        Map<String, byte[]> files = received.tree();
        assertThat(files.keySet()).containsExactly("b/empty", "b/large", "b/small");
        assertThat(files.get("b/large")).isEqualTo(large);
        assertThat(files.get("b/small")).containsExactly(1, 2, 3);
        assertThat(received.entries.values().stream().map(Entry::path))
                .containsExactly("a", "a/empty dir", "b", "b/empty", "b/large", "b/small", "dangling", "link");
        assertThat(entry(received, "b/small").mode()).isEqualTo(0510);
        assertThat(entry(received, "a/empty dir").modifiedNanos()).isEqualTo(1_500_000_000_000_000_001L);
        assertThat(entry(received, "link").target()).isEqualTo("b/small");
        assertThat(entry(received, "dangling").type()).isEqualTo(EntryType.SYMLINK);
        assertThat(received.manifest().tree()).isTrue();
        assertThat(result.length()).isEqualTo(large.length + 3);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.COMPLETED);
    }

    private static Entry entry(Rebuilt received, String path) {
        return received.entries.values().stream()
                .filter(entry -> entry.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldSendTreeWhenItIsEmpty() {
        // when
        PublicationResult result = bench.publish(top);

        // then
        assertThat(result.pieces()).isZero();
        assertThat(bench.received().tree()).isEmpty();
    }

    @Test
    void shouldSendTreeWhenItIsFortyDeep() throws IOException {
        // given
        Path deep = top;
        for (int i = 0; i < 40; i++) {
            deep = Files.createDirectory(deep.resolve("d" + i));
        }
        Files.write(deep.resolve("leaf"), new byte[] {42});

        // when
        bench.publish(top);

        // then
        Rebuilt received = bench.received();
        assertThat(received.tree()).hasSize(1);
        assertThat(received.entries).hasSize(41);
    }

    @Test
    void shouldKeepNamesWhenTheyAreStrange() throws IOException {
        // given
        List<String> names = List.of(
                "with blanks  ",
                "new\nline",
                "tab\t",
                "üñï€",
                "\uD83D\uDE80",
                "\uFFFD replacement",
                "-dash",
                "a\"q\\",
                "x".repeat(255),
                "\uFF5E");
        for (String name : names) {
            Files.writeString(top.resolve(name), name);
        }

        // when
        bench.publish(top);

        // then
        Map<String, byte[]> files = bench.received().tree();
        assertThat(files).hasSize(names.size());
        for (String name : names) {
            assertThat(new String(files.get(name), StandardCharsets.UTF_8)).isEqualTo(name);
        }
    }

    @Test
    void shouldOrderNamesByTheirBytesWhenTheyNeedSurrogates() throws IOException {
        // given
        List<String> ordered = List.of("a", "a.b", "ab", "\uFF5E", "\uD83D\uDE80");
        for (String name : ordered) {
            Files.createDirectory(top.resolve(name));
        }

        // when
        bench.publish(top);

        // then
        Rebuilt received = bench.received();
        received.tree();
        assertThat(received.entries.values().stream().map(Entry::path)).containsExactlyElementsOf(ordered);
    }

    @Test
    void shouldRefuseAndShowNameEscapedWhenItIsNotUtf8() throws Exception {
        // given
        Process touch =
                new ProcessBuilder("bash", "-c", "touch \"$1/\"$'bad\\xff\\xfename'", "bash", top.toString()).start();
        assertThat(touch.waitFor()).isZero();

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(top)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("not valid UTF-8").hasMessageContaining("\"bad\\xff\\xfename\"");
        assertThat(bench.received().cancels).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc", "../../outside", "../top2/x", "sub/../../x"})
    void shouldFailWhenSymbolicLinkLeadsOut(String target) throws IOException {
        // given
        Files.createSymbolicLink(top.resolve("out"), Path.of(target));

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(top)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("symbolic link \"out\"");
        assertThat(bench.received().pieces).isEmpty();
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
    }

    @Test
    void shouldFailWhenLinkLeadsOutThroughAnotherLink() throws IOException {
        // given
        Files.createDirectories(top.resolve("x/y"));
        Files.createSymbolicLink(top.resolve("x/up"), Path.of(".."));
        Files.createSymbolicLink(top.resolve("x/y/out"), Path.of("../up/.."));

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(top)));

        // then
        assertThat(failure).hasMessageContaining("symbolic link \"x/y/out\"");
    }

    @Test
    void shouldLeaveLinksOutWhenPolicyIsSkip() throws IOException {
        // given
        Files.createSymbolicLink(top.resolve("out"), Path.of("/etc"));
        bench.file("top/in", new byte[] {1});

        // when
        Bench.await(bench.publisher.publish(bench.request(top).withSymlinks(SymlinkPolicy.SKIP)));

        // then
        assertThat(bench.received().tree().keySet()).containsExactly("in");
    }

    @Test
    void shouldFailWithoutOpeningWhenTreeHasFifo() throws Exception {
        // given
        assertThat(new ProcessBuilder("mkfifo", top.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(top)));

        // then
        assertThat(failure).hasMessageContaining("pipe").hasMessageContaining("FIFO");
    }

    @Test
    void shouldFailWhenFileOfTreeCannotBeRead() throws IOException {
        // given
        Path secret = bench.file("top/secret", new byte[10]);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        org.junit.jupiter.api.Assumptions.assumeFalse(
                Files.isReadable(secret), "runs as root, for whom PlainUserIT does it");

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(top)));

        // then
        assertThat(failure).hasMessageContaining("secret").hasMessageContaining("cannot be read");
    }

    @Test
    void shouldPackManySmallFilesInFewPieces() {
        // given
        for (int i = 0; i < 500; i++) {
            bench.file("top/" + i, Bench.bytes(100, i));
        }

        // when
        PublicationResult result = bench.publish(top);

        // then
        assertThat(result.pieces()).isLessThan(30);
        assertThat(bench.received().tree()).hasSize(500);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldRebuildTheSameTreeWhenItIsRandom(long seed) throws IOException {
        // given
        Random random = new Random(seed);
        Map<String, byte[]> expected = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            String name = "d" + random.nextInt(4) + "/" + (random.nextBoolean() ? "e/" : "") + "f" + i;
            int length = random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(1_200);
            byte[] content = random.nextInt(5) == 0 ? new byte[length] : Bench.bytes(length, seed * 100 + i);
            bench.file("top/" + name, content);
            expected.put(name, content);
        }
        try (RandomAccessFile sparse =
                new RandomAccessFile(top.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(50_000);
        }
        expected.put("sparse", new byte[50_000]);

        // when
        bench.publish(top);

        // then
        Map<String, byte[]> found = bench.received().tree();
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, content) -> assertThat(found.get(name)).as(name).isEqualTo(content));
        assertThat(bench.received().count(PieceHeader.Kind.HOLE)).isPositive();
    }

    @Test
    void shouldMakeEveryPieceAgainWhenAskedForRepair() {
        // given
        for (int i = 0; i < 40; i++) {
            bench.file("top/" + i, Bench.bytes(i * 150, i));
        }
        bench.publish(top);
        OutgoingPieces again = new OutgoingPieces(bench.store.ledger(), bench.store.spool());

        bench.received().pieces.forEach((index, sent) -> {
            // when
            var piece = again.read(bench.rows().get(0), index);

            // then
            assertThat(piece.header()).isEqualTo(sent.header());
            assertThat(piece.body()).isEqualTo(sent.body());
        });
    }
}
