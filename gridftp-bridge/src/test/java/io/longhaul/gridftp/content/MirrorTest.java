package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageCodec;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MirrorTest {
    private static final Number128 ID = new Number128(1, 2);
    private static final Number128 OTHER = new Number128(3, 4);
    private static final Mirror.Listener NOBODY = new Mirror.Listener() {
        @Override
        public void unknown() {}

        @Override
        public void failed(StorageException failure) {}
    };

    @TempDir
    private Path directory;

    private final FakeScheduler time = new FakeScheduler();
    private final FakePosts posts = new FakePosts(time, 1, FakePosts.Faults.NONE);
    private final List<ByteRange> pulled = new ArrayList<>();
    private int probes;
    private boolean isWithoutThreads;
    private PostOffice holder;
    private Mirrors mirrors;
    private ContentStore store;
    private Content content;
    private Mirror mirror;

    @BeforeEach
    void open() {
        holder = new PostOffice(posts.post("holder"));
        holder.handTo(Set.of(MessageKind.PULL), (from, message) -> {
            Message.Pull pull = (Message.Pull) message;
            if (pull.length() > 0) {
                pulled.add(new ByteRange(pull.offset(), pull.offset() + pull.length()));
            } else {
                probes++;
            }
        });
        holder.open();
        PostOffice office = new PostOffice(posts.post("mirror"));
        Executor disk = action -> {
            if (isWithoutThreads) {
                throw new Error("unable to create native thread");
            }
            time.execute(action);
        };
        mirrors = new Mirrors(office, time, disk, time::nanoTime, Mirrors.Windows.DEFAULT);
        office.open();
        store = ContentStore.open(directory, Disk.real(), ContentStore.Limits.DEFAULT, time.clock(), 1);
        content = store.create(ID, "");
        mirror = mirrors.open(content, "holder", NOBODY);
        mirror.want(new ByteRange(0, Long.MAX_VALUE));
    }

    private void tell(long sealed, ByteRange... ranges) throws InterruptedException {
        holder.send("mirror", new Message.Have(ID, sealed, 0, List.of(ranges)));
        time.advance(Duration.ofMillis(100));
    }

    @Test
    void shouldPullTheLastBytesThereCanBe() throws InterruptedException {
        ByteRange last = new ByteRange(Long.MAX_VALUE - 10, Long.MAX_VALUE);

        tell(-1, last);

        assertThat(pulled).containsExactly(last);
    }

    @Test
    void shouldNotWaitForWhatTheHolderHasTrimmed() throws InterruptedException {
        // given
        tell(-1, new ByteRange(0, 10), new ByteRange(100, 110));
        assertThat(pulled).hasSize(2);

        // when
        tell(10, new ByteRange(0, 10));
        pulled.clear();
        time.advance(Duration.ofSeconds(5));
        tell(10, new ByteRange(0, 10));
        time.advance(Duration.ofSeconds(2));

        // then
        assertThat(pulled).isNotEmpty().containsOnly(new ByteRange(0, 10));
    }

    @Test
    void shouldNotAskAgainWhileTheWayIsCut() throws InterruptedException {
        // given
        tell(10, new ByteRange(0, 10));
        pulled.clear();
        probes = 0;

        // when nobody answers
        time.advance(Duration.ofMinutes(1));

        // then blocks may wait behind the cut
        assertThat(pulled).isEmpty();
        assertThat(probes).isPositive();

        // when somebody does, and nothing follows
        tell(10, new ByteRange(0, 10));
        time.advance(Duration.ofSeconds(2));

        // then
        assertThat(pulled).containsExactly(new ByteRange(0, 10));
    }

    @Test
    void shouldAskAgainAtOnceWhenTheHolderWasStartedAgain() throws InterruptedException {
        // given
        tell(10, new ByteRange(0, 10));
        pulled.clear();

        // when
        holder.send("mirror", new Message.Unknown(ID));
        time.advance(Duration.ofMillis(100));
        assertThat(pulled).isEmpty();
        tell(10, new ByteRange(0, 10));

        // then
        assertThat(pulled).containsExactly(new ByteRange(0, 10));
    }

    private void come(long offset) throws InterruptedException {
        ByteBuffer frame = ByteBuffer.allocate(MessageCodec.BLOCK_HEADER_BYTES + 10);
        holder.sendBlock("mirror", MessageCodec.frameBlock(ID, offset, 10, frame));
        time.advance(Duration.ofMillis(100));
    }

    @Test
    void shouldAskAgainForWhatThereWasNoThreadToWriteFor() throws InterruptedException {
        // given
        tell(-1, new ByteRange(0, 10));
        pulled.clear();

        // when
        isWithoutThreads = true;
        come(0);
        isWithoutThreads = false;
        time.advance(Duration.ofSeconds(2));

        // then
        assertThat(pulled).containsExactly(new ByteRange(0, 10));
        come(0);
        assertThat(content.contains(new ByteRange(0, 10))).isTrue();
        assertThat(mirror.inFlightBytes()).isZero();
    }

    @Test
    void shouldGiveTheWindowBackWhenWritingEndsWithAnError() throws InterruptedException {
        // given
        content.onGrowth(() -> {
            throw new Error("half an update");
        });
        tell(-1, new ByteRange(0, 10));
        pulled.clear();

        // when
        come(0);
        time.advance(Duration.ofSeconds(10));

        // then what has been written is not asked for again
        assertThat(mirror.inFlightBytes()).isZero();
        assertThat(pulled).isEmpty();
    }

    @Test
    void shouldSoonAskAgainForWhatIsLostAfterAnOutage() throws InterruptedException {
        // given
        tell(-1, new ByteRange(0, 10));
        time.advance(Duration.ofHours(1));
        come(0);
        tell(-1, new ByteRange(20, 30));
        time.advance(Duration.ofSeconds(9));
        tell(-1, new ByteRange(40, 50));
        pulled.clear();

        // when
        come(40);
        time.advance(Duration.ofSeconds(1));

        // then
        assertThat(pulled).containsExactly(new ByteRange(20, 30));
    }

    @Test
    void shouldSoonAskAgainForWhatIsLostTwice() throws InterruptedException {
        // given
        List<ByteRange> ranges = new ArrayList<>();
        for (int start = 0; start < 600; start += 20) {
            ranges.add(new ByteRange(start, start + 10));
        }
        ByteRange last = ranges.get(ranges.size() - 1);
        ByteRange[] all = ranges.toArray(ByteRange[]::new);
        tell(-1, all);
        time.advance(Duration.ofSeconds(20));
        tell(-1, all);
        time.advance(Duration.ofSeconds(2));

        // when
        for (ByteRange range : ranges) {
            if (range != last) {
                come(range.start());
            }
        }
        pulled.clear();
        time.advance(Duration.ofSeconds(8));
        tell(-1, all);
        time.advance(Duration.ofSeconds(2));

        // then
        assertThat(pulled).containsExactly(last);
    }

    @Test
    void shouldAskAgainForWhatOthersHaveOvertaken() throws InterruptedException {
        // given
        tell(-1, new ByteRange(0, 10));
        time.advance(Duration.ofSeconds(2));
        tell(-1, new ByteRange(20, 30));
        pulled.clear();

        // when
        come(20);
        time.advance(Duration.ofSeconds(1));

        // then
        assertThat(pulled).containsExactly(new ByteRange(0, 10));
    }

    /** Begins to pull another content of the same holder. */
    private void another() throws InterruptedException {
        Content other = store.create(OTHER, "");
        mirrors.open(other, "holder", NOBODY).want(new ByteRange(0, Long.MAX_VALUE));
        List<ByteRange> ranges = new ArrayList<>();
        for (int start = 0; start < 600; start += 20) {
            ranges.add(new ByteRange(start, start + 10));
        }
        tell(OTHER, ranges.toArray(ByteRange[]::new));
    }

    private void tell(Number128 id, ByteRange... ranges) throws InterruptedException {
        holder.send("mirror", new Message.Have(id, -1, 0, List.of(ranges)));
        time.advance(Duration.ofMillis(100));
    }

    private void come(Number128 id, long offset) throws InterruptedException {
        ByteBuffer frame = ByteBuffer.allocate(MessageCodec.BLOCK_HEADER_BYTES + 10);
        holder.sendBlock("mirror", MessageCodec.frameBlock(id, offset, 10, frame));
        time.advance(Duration.ofMillis(300));
    }

    @Test
    void shouldNotAskAgainForWhatWaitsBehindAnotherContent() throws InterruptedException {
        // given
        another();
        tell(ID, new ByteRange(0, 10));
        pulled.clear();

        // when the other one comes for 9 s
        for (int start = 0; start < 600; start += 20) {
            come(OTHER, start);
            tell(ID, new ByteRange(0, 10));
        }

        // then
        assertThat(pulled).isEmpty();
    }

    @Test
    void shouldAskAgainForWhatAnotherContentHasOvertaken() throws InterruptedException {
        // given
        tell(ID, new ByteRange(1000, 1010));
        time.advance(Duration.ofSeconds(2));
        another();
        pulled.clear();

        // when
        come(OTHER, 0);
        time.advance(Duration.ofMillis(500));

        // then
        assertThat(pulled).containsExactly(new ByteRange(1000, 1010));
    }
}
