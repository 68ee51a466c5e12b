package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.content.SummedRanges;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.storage.Disk;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FeedTest {
    private static final int LENGTH = 4000;

    @TempDir
    private Path directory;

    private final FakeScheduler time = new FakeScheduler();
    private final List<Boolean> quietWhenTold = new ArrayList<>();
    private Feed feed;

    /** Forces when the test says so. */
    private static final class SlowSink implements Sink {
        private final CompletableFuture<Void> forced = new CompletableFuture<>();

        @Override
        public CompletableFuture<Void> write(long position, ByteBuf bytes) {
            bytes.release();
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> force() {
            return forced;
        }

        @Override
        public CompletableFuture<Entry> commit(LongConsumer progress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> suspend() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> abort() {
            throw new UnsupportedOperationException();
        }
    }

    private final Feed.Listener listener = new Feed.Listener() {
        @Override
        public void taken() {
            quietWhenTold.add(feed.isQuiet());
        }

        @Override
        public void failed(BackendException failure) {
            throw new AssertionError(failure);
        }
    };

    @Test
    void shouldTellWhenItIsQuietAfterItsLastBytesWereForced() {
        // given
        ContentStore store = ContentStore.open(directory, Disk.real(), TwoEnds.LIMITS, time.clock(), 1);
        Content content = store.create(new Number128(1, 2), "note");
        content.write(0, ByteBuffer.wrap(new byte[LENGTH]));
        FakeProcess process = new FakeProcess(time);
        World world = new World(store, process, process, time::nanoTime, time.clock(), new Random(1));
        SlowSink sink = new SlowSink();
        feed = new Feed(world, content, sink, true, new SummedRanges(), listener, LENGTH);

        // when: the last bytes are those after which it forces
        feed.pump();
        time.runUntil(() -> !quietWhenTold.isEmpty(), TwoEnds.LONG);

        // then
        assertThat(quietWhenTold).containsExactly(false);

        // when
        sink.forced.complete(null);
        time.runUntil(() -> quietWhenTold.size() > 1, TwoEnds.LONG);

        // then
        assertThat(quietWhenTold).containsExactly(false, true);
        assertThat(feed.forced().total()).isEqualTo(LENGTH);
    }
}
