package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectWritesTest {
    private static final int MIB = 1024 * 1024;
    private static final int TAIL = 5;

    @TempDir
    Path directory;

    private Path file;
    private Object identity;

    @BeforeEach
    void createFile() throws IOException {
        file = Files.createFile(directory.resolve("file"));
        identity = DirectWrites.identity(file);
    }

    @Test
    void shouldWriteAllButTheEndWhenItIsNoWholePage() throws IOException {
        assumeTrue(takesDirectWrites(), directory + " lies on a file system that knows no direct writes");
        byte[] content = bytes(MIB + TAIL);
        ByteBuffer remaining = ByteBuffer.wrap(content);
        try (DirectWrites writes = writes(path -> true)) {
            // when
            writes.write(remaining, MIB);
        }

        // then
        assertThat(remaining.remaining()).isEqualTo(TAIL);
        assertThat(remaining.limit()).isEqualTo(content.length);
        byte[] written = Files.readAllBytes(file);
        assertThat(written).hasSize(2 * MIB);
        assertThat(ByteBuffer.wrap(written, MIB, MIB)).isEqualTo(ByteBuffer.wrap(content, 0, MIB));
    }

    @Test
    void shouldLeaveWhatIsShortOrNotAligned() throws IOException {
        try (DirectWrites writes = writes(path -> true)) {
            // when
            ByteBuffer brief = ByteBuffer.allocate(DirectWrites.LEAST_BYTES - 1);
            writes.write(brief, 0);
            ByteBuffer astray = ByteBuffer.allocate(MIB);
            writes.write(astray, DirectWrites.ALIGNMENT / 2);

            // then
            assertThat(brief.remaining()).isEqualTo(DirectWrites.LEAST_BYTES - 1);
            assertThat(astray.remaining()).isEqualTo(MIB);
            assertThat(file).isEmptyFile();
        }
    }

    @Test
    void shouldAskOnceAndLeaveAllWhereItIsNotAllowed() {
        AtomicInteger asked = new AtomicInteger();
        ByteBuffer bytes = ByteBuffer.allocate(MIB);
        try (DirectWrites writes = writes(path -> asked.getAndIncrement() < 0)) {
            // when
            writes.write(bytes, 0);
            writes.write(bytes, 0);
        }

        // then
        assertThat(bytes.remaining()).isEqualTo(MIB);
        assertThat(asked).hasValue(1);
        assertThat(file).isEmptyFile();
    }

    @Test
    void shouldLeaveAllWhenTheNameMeansAnotherFile() throws IOException {
        // given
        Files.move(file, directory.resolve("moved"));
        Files.createFile(file);
        ByteBuffer bytes = ByteBuffer.allocate(MIB);
        try (DirectWrites writes = writes(path -> true)) {
            // when
            writes.write(bytes, 0);
        }

        // then
        assertThat(bytes.remaining()).isEqualTo(MIB);
        assertThat(file).isEmptyFile();
    }

    @Test
    void shouldGoOnAfterAnInterrupt() throws IOException {
        assumeTrue(takesDirectWrites(), directory + " lies on a file system that knows no direct writes");
        byte[] content = bytes(MIB);
        try (DirectWrites writes = writes(path -> true)) {
            ByteBuffer first = ByteBuffer.wrap(content);
            writes.write(first, 0);

            // when
            Thread.currentThread().interrupt();
            ByteBuffer disturbed = ByteBuffer.wrap(content);
            writes.write(disturbed, MIB);
            boolean kept = Thread.interrupted();
            ByteBuffer after = ByteBuffer.wrap(content);
            writes.write(after, MIB);

            // then
            assertThat(kept).isTrue();
            assertThat(disturbed.remaining()).isEqualTo(MIB);
            assertThat(after.hasRemaining()).isFalse();
            assertThat(Files.size(file)).isEqualTo(2L * MIB);
        }
    }

    private DirectWrites writes(Predicate<Path> allowed) {
        return new DirectWrites(file, identity, allowed);
    }

    private boolean takesDirectWrites() throws IOException {
        Path probe = Files.createFile(directory.resolve("probe"));
        ByteBuffer bytes = ByteBuffer.allocate(MIB);
        try (DirectWrites writes = new DirectWrites(probe, DirectWrites.identity(probe), path -> true)) {
            writes.write(bytes, 0);
        }
        return !bytes.hasRemaining();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
