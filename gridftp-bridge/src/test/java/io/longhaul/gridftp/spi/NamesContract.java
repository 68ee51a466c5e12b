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
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every back end does with names of files and directories. */
public abstract class NamesContract {
    static final ByteRange ALL = new ByteRange(0, Long.MAX_VALUE);

    /** Returns the back end of this test, which begins empty. */
    protected abstract Backend backend();

    static FilePath path(String text) {
        return FilePath.of(text);
    }

    static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    final Sink sink(String path, Kind kind, ByteRange... present) {
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

    final String get(String path) {
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

    final List<String> names(String path) {
        return backend().list(path(path)).join().stream()
                .map(Entry::name)
                .sorted()
                .toList();
    }

    @Test
    void shouldListFilesAndDirectoriesWhenThereAreSome() {
        backend().makeDirectory(path("/d")).join();
        put("/d/naïve \u4e2d", "x");
        put("/d/b", "");
        put("/d/a\tb", "y");

        assertThat(names("/d")).containsExactly("a\tb", "b", "naïve \u4e2d");
        assertThat(get("/d/a\tb")).isEqualTo("y");
        assertThat(backend().stat(path("/d")).join().isDirectory()).isTrue();
        assertThat(backend().stat(FilePath.ROOT).join().isDirectory()).isTrue();
    }

    @Test
    void shouldTellOfADirectoryAndWhatIsInItWhenBothAreWanted() {
        backend().makeDirectory(path("/d")).join();
        backend().makeDirectory(path("/d/e")).join();
        put("/d/f", "x");
        FilePath file = path("/d/f");
        FilePath none = path("/none");

        Directory found = backend().directory(path("/d")).join();

        assertThat(found.self().name()).isEqualTo("d");
        assertThat(found.self().isDirectory()).isTrue();
        assertThat(found.entries()).extracting(Entry::name).containsExactlyInAnyOrder("e", "f");
        assertThat(backend().directory(FilePath.ROOT).join().entries())
                .extracting(Entry::name)
                .containsExactly("d");
        assertFails(Code.NOT_A_DIRECTORY, () -> backend().directory(file).join());
        assertFails(Code.NOT_FOUND, () -> backend().directory(none).join());
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
    void shouldRefuseToRenameOverADirectoryWhenThereIsSomethingInIt() {
        // given
        backend().makeDirectory(path("/d")).join();
        put("/d/g", "y");
        backend().makeDirectory(path("/e")).join();
        put("/e/h", "z");

        // then
        assertFails(
                Code.NOT_EMPTY, () -> backend().rename(path("/d"), path("/e")).join());
        assertThat(get("/d/g") + get("/e/h")).isEqualTo("yz");

        // when
        backend().deleteFile(path("/e/h")).join();
        backend().rename(path("/d"), path("/e")).join();

        // then
        assertThat(get("/e/g")).isEqualTo("y");
        assertThat(names("/")).containsExactly("e");
    }

    @Test
    void shouldLeaveItWhenItIsRenamedOntoItself() {
        // given
        put("/f", "x");
        backend().makeDirectory(path("/d")).join();
        put("/d/g", "y");

        // when
        backend().rename(path("/f"), path("/f")).join();
        backend().rename(path("/d"), path("/d")).join();

        // then
        assertThat(get("/f") + get("/d/g")).isEqualTo("xy");
        assertThat(names("/")).containsExactlyInAnyOrder("d", "f");
    }
}
