package io.longhaul.gridftp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every back end does. An implementation's test extends it and gives it an empty back end. */
public abstract class BackendContract {
    private static final ByteRange ALL = new ByteRange(0, Long.MAX_VALUE);

    /** Returns the back end of this test, which begins empty. */
    protected abstract Backend backend();

    private static FilePath path(String text) {
        return FilePath.of(text);
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private Sink sink(String path, Kind kind, ByteRange... present) {
        return backend()
                .write(new WriteRequest(path(path), kind, 0, List.of(present), Optional.empty()))
                .join();
    }

    protected final void put(String path, String text) {
        Sink sink = sink(path, Kind.REPLACE);
        sink.write(0, bytes(text)).join();
        sink.commit(bytes -> {}).join();
    }

    protected final String get(String path, ByteRange... ranges) {
        StringBuilder text = new StringBuilder();
        try (Source source = backend().read(path(path), List.of(ranges)).join()) {
            Optional<Block> block = source.next().join();
            while (block.isPresent()) {
                text.append(block.get().bytes().toString(StandardCharsets.UTF_8));
                block.get().bytes().release();
                block = source.next().join();
            }
        }
        return text.toString();
    }

    private String get(String path) {
        return get(path, ALL);
    }

    protected static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    private List<String> names(String path) {
        return backend().list(path(path)).join().stream()
                .map(Entry::name)
                .sorted()
                .toList();
    }

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

        // then
        assertFails(Code.BAD_CHECKSUM, () -> sink.commit(bytes -> {}).join());
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
    void shouldListFilesAndDirectoriesWhenThereAreSome() {
        backend().makeDirectory(path("/d")).join();
        put("/d/naïve \u4e2d", "x");
        put("/d/b", "");

        assertThat(names("/d")).containsExactly("b", "naïve \u4e2d");
        assertThat(backend().stat(path("/d")).join().isDirectory()).isTrue();
        assertThat(backend().stat(FilePath.ROOT).join().isDirectory()).isTrue();
    }

    @Test
    void shouldRenameAndRemoveWhenItIsAsked() {
        put("/a", "1");
        backend().makeDirectory(path("/d")).join();

        backend().rename(path("/a"), path("/d/b")).join();
        assertThat(get("/d/b")).isEqualTo("1");
        assertFails(Code.NOT_EMPTY, () -> backend().removeDirectory(path("/d")).join());

        backend().deleteFile(path("/d/b")).join();
        backend().removeDirectory(path("/d")).join();
        assertThat(names("/")).isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongWhenItCannotDoIt() {
        put("/f", "x");
        backend().makeDirectory(path("/d")).join();
        put("/d/g", "y");
        FilePath none = path("/none");
        FilePath file = path("/f");
        FilePath directory = path("/d");
        assertFails(Code.NOT_FOUND, () -> backend().stat(none).join());
        assertFails(Code.NOT_FOUND, () -> backend().read(none, List.of(ALL)).join());
        assertFails(
                Code.NOT_FOUND,
                () -> backend().write(WriteRequest.replace(path("/none/f"))).join());
        assertFails(Code.NOT_FOUND, () -> backend().deleteFile(none).join());
        assertFails(Code.NOT_FOUND, () -> backend().removeDirectory(none).join());
        assertFails(Code.NOT_FOUND, () -> backend().rename(none, path("/g")).join());
        assertFails(Code.IS_A_DIRECTORY, () -> backend().rename(file, directory).join());
        assertFails(
                Code.NOT_A_DIRECTORY, () -> backend().rename(directory, file).join());
        assertThat(get("/f") + get("/d/g")).isEqualTo("xy");
        assertFails(Code.EXISTS, () -> backend().makeDirectory(directory).join());
        assertFails(Code.EXISTS, () -> backend().makeDirectory(file).join());
        assertFails(
                Code.IS_A_DIRECTORY,
                () -> backend().read(directory, List.of(ALL)).join());
        assertFails(
                Code.IS_A_DIRECTORY,
                () -> backend().write(WriteRequest.replace(directory)).join());
        assertFails(Code.IS_A_DIRECTORY, () -> backend().deleteFile(directory).join());
        assertFails(Code.NOT_A_DIRECTORY, () -> backend().list(file).join());
        assertFails(Code.NOT_A_DIRECTORY, () -> backend().removeDirectory(file).join());
    }

    @Test
    void shouldSetTimeAndModeWhenItIsAsked() {
        put("/f", "x");
        Instant time = Instant.parse("2001-02-03T04:05:06Z");

        backend().setModified(path("/f"), time).join();
        backend().setMode(path("/f"), 0640).join();

        Entry found = backend().stat(path("/f")).join();
        assertThat(found.modified()).isEqualTo(time);
        assertThat(found.unix().orElseThrow().mode()).isEqualTo(0640);
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
