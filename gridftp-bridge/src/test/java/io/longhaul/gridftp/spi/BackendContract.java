package io.longhaul.gridftp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What every back end does. An implementation's test extends it and gives it an empty back end. */
public abstract class BackendContract extends NamesContract {
    @Test
    void shouldShowNothingBeforeTheCommitWhenAFileIsWritten() {
        // given
        Sink sink = sink("/f", Kind.REPLACE);
        sink.write(3, bytes("lo")).join();
        sink.write(0, bytes("hel")).join();

        // then
        assertThat(names("/")).isEmpty();
        assertFails(Code.NOT_FOUND, () -> backend().stat(path("/f")).join());

        // when
        Entry entry = sink.commit(bytes -> {}).join();

        // then
        assertThat(entry.name()).isEqualTo("f");
        assertThat(entry.length()).isEqualTo(5);
        assertThat(entry.type()).isEqualTo(Entry.Type.FILE);
        assertThat(get("/f")).isEqualTo("hello");
    }

    @Test
    void shouldLeaveNothingWhenAWriteIsAborted() {
        put("/f", "old");
        Sink sink = sink("/f", Kind.REPLACE);
        sink.write(0, bytes("new and longer")).join();

        sink.abort().join();

        assertThat(get("/f")).isEqualTo("old");
        assertThat(names("/")).containsExactly("f");
    }

    @Test
    void shouldBeOneOfThemWhenTwoWriteTheSameFile() {
        // given
        Sink one = sink("/f", Kind.REPLACE);
        Sink other = sink("/f", Kind.REPLACE);

        // when
        one.write(0, bytes("one")).join();
        other.write(0, bytes("other")).join();
        other.commit(bytes -> {}).join();
        one.commit(bytes -> {}).join();

        // then
        assertThat(get("/f")).isEqualTo("one");
    }

    @Test
    void shouldWaitForItsWritesWhenItIsCommittedAtOnce() {
        Sink sink = sink("/f", Kind.REPLACE);
        for (int i = 0; i < 200; i++) {
            sink.write(i, bytes("x"));
        }

        assertThat(sink.commit(bytes -> {}).join().length()).isEqualTo(200);
    }

    @Test
    void shouldKeepWhatIsBesideThePartWhenAPartIsOverlaid() {
        put("/f", "0123456789");
        Sink sink = sink("/f", Kind.OVERLAY);
        sink.write(3, bytes("abc")).join();

        sink.commit(bytes -> {}).join();

        assertThat(get("/f")).isEqualTo("012abc6789");
    }

    @Test
    void shouldMakeTheFileWhenThereIsNoneToOverlay() {
        Sink sink = sink("/f", Kind.OVERLAY);
        sink.write(2, bytes("x")).join();

        sink.commit(bytes -> {}).join();

        assertThat(get("/f")).isEqualTo("\0\0x");
    }

    @Test
    void shouldLoseNeitherWhenTwoAppendAtATime() {
        // given
        put("/f", "a");
        Sink one = sink("/f", Kind.APPEND);
        Sink other = sink("/f", Kind.APPEND);

        // when
        one.write(0, bytes("one")).join();
        other.write(0, bytes("other")).join();
        one.commit(bytes -> {}).join();
        other.commit(bytes -> {}).join();

        // then
        assertThat(get("/f")).isEqualTo("aoneother");
    }

    @Test
    void shouldGoOnWithWhatIsThereWhenASuspendedWriteIsResumed() {
        // given
        Sink cut = sink("/f", Kind.REPLACE);
        cut.write(0, bytes("hel")).join();
        cut.suspend().join();
        assertThat(names("/")).isEmpty();

        // when
        Sink resumed = sink("/f", Kind.RESUME, new ByteRange(0, 3));
        resumed.write(3, bytes("lo")).join();
        resumed.commit(bytes -> {}).join();

        // then
        assertThat(get("/f")).isEqualTo("hello");
    }

    @Test
    void shouldRefuseWhenAResumeTakesMissingBytesForGranted() {
        assertFails(
                Code.BAD_RANGE,
                () -> backend()
                        .write(new WriteRequest(
                                path("/f"), Kind.RESUME, 0, List.of(new ByteRange(0, 3)), Optional.empty()))
                        .join());
    }

    @Test
    void shouldRefuseWhenRangesAreThoseOfAWriteThatLeftNothing() {
        put("/f", "an old file");

        assertFails(Code.BAD_RANGE, () -> sink("/f", Kind.RESUME, new ByteRange(0, 3)));
        assertThat(get("/f")).isEqualTo("an old file");
    }

    @Test
    void shouldRefuseAPositionWhenAReplacementOfTheFileWasGivenUp() {
        // given
        put("/f", "0123456789");
        ByteRange three = new ByteRange(0, 3);
        Sink givenUp = sink("/f", Kind.REPLACE);
        givenUp.write(0, bytes("hello")).join();
        givenUp.abort().join();

        // then
        assertFails(Code.BAD_RANGE, () -> sink("/f", Kind.RESTART, three));

        // when
        put("/f", "helium");
        Sink restarted = sink("/f", Kind.RESTART, three);
        restarted.write(3, bytes("l")).join();
        restarted.abort().join();

        // then
        assertFails(Code.BAD_RANGE, () -> sink("/f", Kind.RESTART, new ByteRange(0, 4)));
        Sink again = sink("/f", Kind.RESTART, three);
        again.write(3, bytes("p")).join();
        again.commit(bytes -> {}).join();
        assertThat(get("/f")).isEqualTo("helpum");
    }

    @Test
    void shouldRefuseTheCommitWhenTheFileIsAnotherThanAtTheRestart() {
        put("/f", "hel");
        Sink restarted = sink("/f", Kind.RESTART, new ByteRange(0, 3));
        restarted.write(3, bytes("lo")).join();
        put("/f", "other");

        assertFails(Code.BAD_RANGE, () -> restarted.commit(bytes -> {}).join());
        assertThat(get("/f")).isEqualTo("other");
    }

    @Test
    void shouldHaveOnlyWhatIsTakenForGrantedWhenAResumedWriteIsShorter() {
        // given
        Sink cut = sink("/f", Kind.REPLACE);
        cut.write(0, bytes("hel")).join();
        cut.write(3, bytes("icopter")).join();
        cut.suspend().join();
        ByteRange three = new ByteRange(0, 3);
        sink("/f", Kind.RESUME, three).suspend().join();

        // when
        assertFails(Code.BAD_RANGE, () -> sink("/f", Kind.RESUME, new ByteRange(0, 10)));
        Sink resumed = sink("/f", Kind.RESUME, three);
        resumed.write(3, bytes("lo")).join();
        resumed.commit(bytes -> {}).join();

        // then
        assertThat(get("/f")).isEqualTo("hello");
    }

    @Test
    void shouldShowNothingWhenTheChecksumIsAnother() {
        // given
        WriteRequest.Checksum wrong = new WriteRequest.Checksum(ChecksumAlgorithm.MD5, "00");
        WriteRequest request = new WriteRequest(path("/f"), Kind.REPLACE, 0, List.of(), Optional.of(wrong));
        Sink sink = backend().write(request).join();
        sink.write(0, bytes("x")).join();

        // when
        CompletionException failure = catchThrowableOfType(
                CompletionException.class, () -> sink.commit(bytes -> {}).join());

        // then
        assertThat(failure.getCause()).isInstanceOfSatisfying(BackendException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.BAD_CHECKSUM);
            assertThat(e.details())
                    .containsExactly(
                            "GridFTP-Computed-Checksum: 9dd4e461268c8034f5c8564e155c67a6",
                            "GridFTP-Expected-Checksum: 00");
        });
        assertThat(names("/")).isEmpty();
    }

    @Test
    void shouldGiveOnlyTheRangesWhenAPartIsRead() {
        put("/f", "0123456789");

        assertThat(get("/f", new ByteRange(2, 4), new ByteRange(8, 100))).isEqualTo("2389");
        assertThat(get("/f", new ByteRange(50, 100))).isEmpty();
    }

    @Test
    void shouldTellPositionsWhenSeveralBlocksAreAskedForAtATime() {
        // given
        String text = "x".repeat(3_000_000);
        put("/f", text);

        // when
        long total = 0;
        try (Source source = backend().read(path("/f"), List.of(ALL)).join()) {
            List<CompletableFuture<Optional<Block>>> asked = List.of(source.next(), source.next(), source.next());
            for (CompletableFuture<Optional<Block>> next : asked) {
                Block block = next.join().orElseThrow();
                // then
                assertThat(block.position()).isEqualTo(total);
                total += block.bytes().readableBytes();
                block.bytes().release();
            }
        }
        assertThat(total).isBetween(1L, 3_000_000L);
    }

    @Test
    void shouldComputeChecksumsOfPartsAndWholes() {
        put("/f", "123456789");

        assertThat(checksum(ChecksumAlgorithm.CRC32C, 0, Long.MAX_VALUE)).isEqualTo("e3069283");
        assertThat(checksum(ChecksumAlgorithm.ADLER32, 0, 9)).isEqualTo("091e01de");
        assertThat(checksum(ChecksumAlgorithm.MD5, 0, 9)).isEqualTo("25f9e794323b453885f5181f1b624d0b");
        assertThat(checksum(ChecksumAlgorithm.MD5, 0, 0)).isEqualTo("d41d8cd98f00b204e9800998ecf8427e");
        assertThat(checksum(ChecksumAlgorithm.SHA1, 0, 9)).isEqualTo("f7c3bc1d808e04732adf679965ccc34ca7ae3441");
        assertThat(checksum(ChecksumAlgorithm.SHA256, 2, 2)).hasSize(64);
        assertThat(checksum(ChecksumAlgorithm.SHA512, 2, 3)).hasSize(128);
    }

    private String checksum(ChecksumAlgorithm algorithm, long start, long end) {
        return backend()
                .checksum(path("/f"), algorithm, new ByteRange(start, end), done -> {})
                .join();
    }
}
