package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.RunningChecksum;
import io.longhaul.storage.Disk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SameBytesTest {
    private static final byte[] BYTES = TwoEnds.bytes(1, 40_000_000);

    @TempDir
    private Path directory;

    private final Queue<Runnable> disk = new ArrayDeque<>();
    private final CompletableFuture<String> theirs = new CompletableFuture<>();
    private CompletableFuture<Boolean> isSame;

    @BeforeEach
    void compare() {
        FakeScheduler time = new FakeScheduler();
        ContentStore store = ContentStore.open(directory, Disk.real(), TwoEnds.LIMITS, time.clock(), 1);
        Content content = store.create(Number128.next(new Random(1)), "");
        content.write(0, ByteBuffer.wrap(BYTES));
        World world = new World(store, time, disk::add, time::nanoTime, time.clock(), new Random(1));
        isSame = new SameBytes(world, content).in(content.covered(), this::theirs);
    }

    private CompletableFuture<String> theirs(ByteRange range) {
        assertThat(range).isEqualTo(new ByteRange(0, BYTES.length));
        return theirs;
    }

    private static String sum(byte[] bytes) {
        RunningChecksum sum = RunningChecksum.of(SameBytes.ALGORITHM);
        sum.update(ByteBuffer.wrap(bytes));
        return sum.result();
    }

    /** Returns how many things the disk has done. */
    private int doAll() {
        int done = 0;
        for (Optional<Runnable> next = next(); next.isPresent(); next = next()) {
            next.get().run();
            done++;
        }
        return done;
    }

    private Optional<Runnable> next() {
        return Optional.ofNullable(disk.poll());
    }

    @Test
    void shouldReadInPiecesWhenTheServerHasSaidItsChecksum() {
        // given
        assertThat(disk).isEmpty();

        // when
        theirs.complete(sum(BYTES));

        // then
        assertThat(doAll()).isEqualTo(3);
        assertThat(isSame).isCompletedWithValue(true);
    }

    @Test
    void shouldSayThatTheyDifferWhenTheServersChecksumIsAnother() {
        theirs.complete(sum(new byte[1]));

        doAll();

        assertThat(isSame).isCompletedWithValue(false);
    }

    @Test
    void shouldReadNothingWhenTheServerHasNoChecksums() {
        theirs.completeExceptionally(new IllegalStateException("none"));

        assertThat(isSame).isCompletedExceptionally();
        assertThat(disk).isEmpty();
    }

    @Test
    void shouldStopReadingWhenNobodyWaitsAnyMore() {
        // given
        theirs.complete(sum(BYTES));
        disk.remove().run();

        // when
        isSame.complete(false);

        // then
        assertThat(doAll()).isEqualTo(1);
    }
}
