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

/** Calls that take long, as many as there are threads: they go on when the test says so. */
final class CrowdedDiskTest {
    private static final int THREADS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Holes, which cost no disk. */
    private static final long LENGTH = 4L * 1024 * 1024;

    @TempDir
    private Path root;

    private final CompletableFuture<Void> disk = new CompletableFuture<>();
    private DirectoryBackend backend;

    @BeforeEach
    void open() throws IOException {
        backend = DirectoryBackend.open(root, THREADS, System::nanoTime, new Random());
    }

    @AfterEach
    void close() {
        disk.complete(null);
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
                .map(number -> backend.checksum(
                        file(number), ChecksumAlgorithm.ADLER32, new ByteRange(0, LENGTH), bytes -> disk.join()))
                .toList();

        // then
        // the first ones may come before the checksums that are being opened
        for (int look = 0; look < 10; look++) {
            assertThat(backend.stat(file(0))).succeedsWithin(PATIENCE);
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
        CompletableFuture<Entry> commit = committed.commit(bytes -> disk.join());

        // then
        assertThat(unwanted.abort()).succeedsWithin(PATIENCE);
        assertThat(broken.suspend()).succeedsWithin(PATIENCE);
        WriteRequest rest =
                new WriteRequest(file(1), Kind.RESUME, 0, List.of(new ByteRange(LENGTH - 1, LENGTH)), Optional.empty());
        backend.write(rest).join().abort().join();
        disk.complete(null);
        assertThat(commit).failsWithin(PATIENCE);
    }

    @Test
    void shouldServeOthersWhenCommitsTakeLong() {
        // given
        WriteRequest.Checksum wrong = new WriteRequest.Checksum(ChecksumAlgorithm.SHA512, "00");
        List<Sink> sinks =
                numbers().map(number -> written(number, Optional.of(wrong))).toList();

        // when
        List<CompletableFuture<Entry>> commits =
                sinks.stream().map(sink -> sink.commit(bytes -> disk.join())).toList();

        // then
        for (int look = 0; look < 10; look++) {
            assertThat(backend.list(FilePath.ROOT)).succeedsWithin(PATIENCE);
        }
        disk.complete(null);
        commits.forEach(commit -> assertThat(commit).failsWithin(PATIENCE));
    }
}
