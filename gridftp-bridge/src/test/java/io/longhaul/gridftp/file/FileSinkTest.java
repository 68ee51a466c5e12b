package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that loses bytes and says so once. What its threads do is done when the test says so. */
final class FileSinkTest {
    @TempDir
    private Path root;

    private final Deque<Runnable> work = new ArrayDeque<>();
    private Path file;
    private Path place;

    @BeforeEach
    void putTheOldFile() throws IOException {
        file = Files.writeString(root.resolve("f"), "old");
        place = root.resolve("part");
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(
                place, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private FileSink sink(FileChannel channel) {
        return new FileSink(
                FilePath.of("/f"),
                Optional.empty(),
                new Part(place, Optional.empty(), file, new ByteRanges()),
                channel,
                new Placing(
                        Kind.REPLACE,
                        Optional.empty(),
                        Optional.empty(),
                        new ReentrantLock(),
                        new Entries(new Confinement(root))),
                new Suspended(System::nanoTime),
                new DiskThreads(work::add, work::add));
    }

    private void work() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    @Test
    void shouldLeaveTheOldFileWhenBytesWereLostBeforeTheCommit() throws IOException {
        // given
        FileSink sink = sink(new ForgetfulChannel(open()));
        CompletableFuture<Void> written = sink.write(0, Unpooled.copiedBuffer("new", StandardCharsets.UTF_8));
        CompletableFuture<Void> forced = sink.force();
        work();

        // when
        CompletableFuture<Entry> committed = sink.commit(bytes -> {});
        work();

        // then
        assertThat(written).isCompleted();
        assertThat(forced).isCompletedExceptionally();
        assertLost(committed);
    }

    @Test
    void shouldWriteWholeBlocksAndTheRestInAnyOrder() throws Exception {
        // given
        byte[] all = new byte[3 * 1024 * 1024 + 77];
        new Random(1).nextBytes(all);
        int half = 1024 * 1024 + 5;
        FileSink sink = sink(open());

        // when
        CompletableFuture<Void> second = sink.write(half, Unpooled.wrappedBuffer(all, half, all.length - half));
        CompletableFuture<Void> first = sink.write(0, Unpooled.directBuffer().writeBytes(all, 0, half));
        work();
        CompletableFuture<Entry> placed = sink.commit(bytes -> {});
        work();

        // then
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(placed).isCompletedWithValueMatching(entry -> entry.length() == all.length);
        assertThat(file).hasBinaryContent(all);
    }

    @Test
    void shouldLeaveTheOldFileWhenBytesAreLostWhileTheCommitWaits() throws IOException {
        // given
        FileSink sink = sink(new ForgetfulChannel(open()));
        sink.write(0, Unpooled.copiedBuffer("new", StandardCharsets.UTF_8));
        work();

        // when
        CompletableFuture<Void> forced = sink.force();
        CompletableFuture<Entry> committed = sink.commit(bytes -> {});
        work();

        // then
        assertThat(forced).isCompletedExceptionally();
        assertLost(committed);
    }

    private void assertLost(CompletableFuture<Entry> committed) {
        assertThat(committed).isCompletedExceptionally();
        assertThat(file).hasContent("old");
        assertThat(place).doesNotExist();
    }
}
