package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.content.SummedRanges;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.storage.Disk;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FeedTest {
    private static final int LENGTH = 4000;
    private static final FilePath FILE = FilePath.of("/f");
    private static final WriteRequest PART = new WriteRequest(FILE, Kind.OVERLAY, 0, List.of(), Optional.empty());

    @TempDir
    private Path directory;

    private final FakeScheduler time = new FakeScheduler();
    private final List<Boolean> quietWhenTold = new ArrayList<>();
    private World world;
    private Feed feed;

    /** Forces when the test says so. */
    private static final class SlowSink implements Sink {
        private final CompletableFuture<Void> forced = new CompletableFuture<>();
        private final List<Long> positions = new ArrayList<>();

        @Override
        public CompletableFuture<Void> write(long position, ByteBuf bytes) {
            bytes.release();
            positions.add(position);
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

    private Content content() {
        ContentStore store = ContentStore.open(directory, Disk.real(), TwoEnds.LIMITS, time.clock(), 1);
        FakeProcess process = new FakeProcess(time);
        world = new World(store, process, process, time::nanoTime, time.clock(), new Random(1));
        return store.create(new Number128(1, 2), "note");
    }

    private static void write(Content content, long position) {
        content.write(position, ByteBuffer.wrap(new byte[LENGTH]));
    }

    private void pump() {
        feed.pump();
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void shouldTellWhenItIsQuietAfterItsLastBytesWereForced() {
        // given
        Content content = content();
        write(content, 0);
        SlowSink sink = new SlowSink();
        feed = new Feed(world, content, sink, WriteRequest.replace(FILE), new SummedRanges(), listener, LENGTH);

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

    @Test
    void shouldGiveAPartFromItsFirstByteOnWhenThatComesLast() {
        // given
        Content content = content();
        SlowSink sink = new SlowSink();
        feed = new Feed(world, content, sink, PART.from(1000), new SummedRanges(), listener);

        // when
        write(content, 1000 + LENGTH);
        pump();

        // then
        assertThat(sink.positions).isEmpty();

        // when
        write(content, 1000);
        pump();

        // then: while more may come
        assertThat(sink.positions).containsExactly(1000L);
        assertThat(feed.taken().total()).isEqualTo(2 * LENGTH);
    }

    @Test
    void shouldGiveWhatIsBehindAHoleWhenAllIsThere() {
        // given
        Content content = content();
        SlowSink sink = new SlowSink();
        feed = new Feed(world, content, sink, PART.from(0), new SummedRanges(), listener);
        write(content, 3L * LENGTH);
        write(content, LENGTH);

        // when
        pump();

        // then
        assertThat(sink.positions).isEmpty();

        // when
        content.sealAt(Long.MAX_VALUE);
        pump();

        // then
        assertThat(sink.positions).containsExactly((long) LENGTH, 3L * LENGTH);
        assertThat(feed.taken().total()).isEqualTo(2 * LENGTH);
    }

    @Test
    void shouldWaitForAllWhenAnOlderFrontDoesNotSayWhereThePartBegins() {
        // given
        Content content = content();
        SlowSink sink = new SlowSink();
        feed = new Feed(world, content, sink, PART, new SummedRanges(), listener);
        write(content, 1000 + LENGTH);
        pump();
        write(content, 1000);
        pump();
        assertThat(sink.positions).isEmpty();

        // when
        content.sealAt(Long.MAX_VALUE);
        pump();

        // then
        assertThat(sink.positions).containsExactly(1000L);
    }
}
