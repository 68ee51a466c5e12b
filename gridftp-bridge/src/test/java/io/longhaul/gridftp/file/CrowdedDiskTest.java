package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that take as long as a file is long, as many as there are threads. */
final class CrowdedDiskTest {
    private static final int THREADS = 2;

    /** Holes, which cost no disk: long enough that nobody has read them before somebody looks. */
    private static final long LENGTH = 256L * 1024 * 1024;

    @TempDir
    private Path root;

    private DirectoryBackend backend;

    @BeforeEach
    void open() throws IOException {
        backend = DirectoryBackend.open(root, THREADS, System::nanoTime, new Random());
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private static FilePath file(int number) {
        return FilePath.of("/f" + number);
    }

    private static Stream<Integer> numbers() {
        return Stream.iterate(0, number -> number < THREADS, number -> number + 1);
    }

    private Sink written(int number, Optional<WriteRequest.Checksum> checksum) {
        Sink sink = backend.write(new WriteRequest(file(number), Kind.REPLACE, 0, List.of(), checksum))
                .join();
        sink.write(LENGTH - 1, Unpooled.wrappedBuffer(new byte[1])).join();
        return sink;
    }

    @Test
    void shouldServeOthersWhenChecksumsTakeLong() {
        // given
        numbers()
                .forEach(number ->
                        written(number, Optional.empty()).commit(bytes -> {}).join());

        // when
        List<CompletableFuture<String>> sums = numbers()
                .map(number ->
                        backend.checksum(file(number), ChecksumAlgorithm.SHA512, new ByteRange(0, LENGTH), bytes -> {}))
                .toList();
        backend.stat(file(0)).join();

        // then
        assertThat(sums).noneMatch(CompletableFuture::isDone);
        assertThat(sums.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void shouldServeOthersWhenManyChecksumsWaitForTheDisk() {
        // given
        numbers()
                .forEach(number ->
                        written(number, Optional.empty()).commit(bytes -> {}).join());
        CompletableFuture<Void> disk = new CompletableFuture<>();

        // when
        List<CompletableFuture<String>> sums = numbers()
                .map(number -> backend.checksum(
                        file(number), ChecksumAlgorithm.ADLER32, new ByteRange(0, LENGTH), bytes -> disk.join()))
                .toList();

        // then
        // the first ones may come before the checksums that are being opened
        for (int look = 0; look < 10; look++) {
            assertThat(backend.stat(file(0))).succeedsWithin(Duration.ofSeconds(10));
        }
        disk.complete(null);
        assertThat(sums.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void shouldGiveUpAtOnceWhenCommitsTakeLong() {
        // given
        WriteRequest.Checksum wrong = new WriteRequest.Checksum(ChecksumAlgorithm.SHA512, "00");
        Sink committed = written(0, Optional.of(wrong));
        Sink broken = written(1, Optional.empty());
        Sink unwanted = written(2, Optional.empty());

        // when
        CompletableFuture<Entry> commit = committed.commit(bytes -> {});
        unwanted.abort().join();
        broken.suspend().join();

        // then
        assertThat(commit).isNotDone();
        WriteRequest rest =
                new WriteRequest(file(1), Kind.RESUME, 0, List.of(new ByteRange(LENGTH - 1, LENGTH)), Optional.empty());
        backend.write(rest).join().abort().join();
        assertThat(commit).failsWithin(Duration.ofMinutes(1));
    }

    @Test
    void shouldServeOthersWhenCommitsTakeLong() {
        // given
        WriteRequest.Checksum wrong = new WriteRequest.Checksum(ChecksumAlgorithm.SHA512, "00");
        List<Sink> sinks =
                numbers().map(number -> written(number, Optional.of(wrong))).toList();

        // when
        List<CompletableFuture<Entry>> commits =
                sinks.stream().map(sink -> sink.commit(bytes -> {})).toList();
        backend.list(FilePath.ROOT).join();

        // then
        assertThat(commits).noneMatch(CompletableFuture::isDone);
        commits.forEach(commit -> assertThat(commit).failsWithin(Duration.ofMinutes(1)));
    }
}
