package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.storage.StorageException;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that clients send while a disk is full. */
final class FullDiskUploadsTest {
    private static final int LENGTH = 3_000_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);

    private final FullDisk disk = new FullDisk();
    private TwoEnds ends;

    @BeforeEach
    void prepare(@TempDir Path directory) {
        ends = new TwoEnds(directory, 7, Faults.NONE);
    }

    @Test
    void shouldSayThatThereIsNoSpaceAndLoseNothingWhenTheDiskOfTheFrontIsFull() {
        // given
        ends.frontDisk = disk.disk;
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(1));

        // when
        disk.full.set(true);

        // then
        TwoEnds.assertFails(Code.NO_SPACE, () -> ends.send(sink, BYTES, 2_000_000, LENGTH));

        // when
        disk.full.set(false);
        ends.await(sink.abort());
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @Test
    void shouldContinueWhatIsKeptWhenATryInBetweenFoundTheDiskFull() {
        // given
        ends.frontDisk = disk.disk;
        ends.start();
        Sink cut = ends.write("/f");
        ends.send(cut, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(1));
        ends.await(cut.abort());

        // when
        disk.full.set(true);
        TwoEnds.assertFails(Code.NO_SPACE, () -> ends.write("/f"));
        disk.full.set(false);
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @Test
    void shouldLeaveNothingBehindWhenTheDiskOfTheFrontIsFullAtTheCommit() {
        // given
        ends.frontDisk = disk.disk;
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        ends.time.advance(Duration.ofSeconds(1));

        // when
        disk.full.set(true);
        TwoEnds.assertFails(Code.NO_SPACE, () -> ends.await(sink.commit(done -> {})));
        ends.time.advance(Duration.ofSeconds(1));

        // then
        assertThat(ends.frontStore.all()).isEmpty();
        assertThat(ends.server.openSinks()).isZero();
        assertThat(ends.server.has("/f")).isFalse();
    }

    @Test
    void shouldStoreNoPartWhenTheDiskOfTheFrontIsFullAndTheClientHasSentAllBeforeItIsTold() {
        // given
        ends.frontDisk = disk.disk;
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 2_000_000);

        // when: it has room for everything but these bytes
        disk.full.set(true);
        CompletableFuture<Void> rest = sink.write(2_000_000, Unpooled.copiedBuffer(BYTES, 2_000_000, 1_000_000))
                .whenComplete((done, failure) -> disk.full.set(false));
        CompletableFuture<Entry> committed = sink.commit(done -> {});

        // then
        TwoEnds.assertFails(Code.NO_SPACE, () -> ends.await(rest));
        TwoEnds.assertFails(Code.NO_SPACE, () -> ends.await(committed));
        ends.time.advance(Duration.ofMinutes(1));
        assertThat(ends.server.has("/f")).isFalse();

        // when
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldSayThatThereIsNoSpaceWhenTheDiskOfTheBackIsFull() {
        // given
        ends.backDisk = disk.disk;
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 1_000_000);
        ends.time.advance(Duration.ofSeconds(1));

        // when
        disk.full.set(true);

        // then
        TwoEnds.assertFails(Code.NO_SPACE, () -> {
            ends.send(sink, BYTES, 1_000_000, LENGTH);
            ends.await(sink.commit(bytes -> {}));
        });
        ends.await(sink.abort());
        assertThat(ends.server.has("/f")).isFalse();
        assertThat(ends.server.openSinks()).isZero();

        // when
        disk.full.set(false);
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldLeaveNothingAtTheServerWhenItsDiskIsFull() {
        // given
        ends.start();
        ends.server.room = 2_000_000;
        Sink sink = ends.write("/f");

        // when
        TwoEnds.assertFails(Code.NO_SPACE, () -> {
            ends.send(sink, BYTES, 0, LENGTH);
            ends.await(sink.commit(done -> {}));
        });

        // then
        assertThat(ends.server.suspended).isEmpty();
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldAddTheBytesOnceWhenTheServerWasFullAndHadBeenPromisedThem() {
        // given
        ends.untilDelivered = false;
        ends.start();
        ends.server.put("/f", new byte[] {1}, Instant.EPOCH);
        ends.server.failCommits(Optional.of(new BackendException(Code.NO_SPACE, "full")));
        Sink sink = ends.write(
                new WriteRequest(FilePath.of("/f"), WriteRequest.Kind.APPEND, 0, List.of(), Optional.empty()));
        ends.await(sink.write(0, Unpooled.wrappedBuffer(new byte[] {2})));
        ends.await(sink.commit(done -> {}));
        ends.time.advance(Duration.ofMinutes(2));

        // when the back is started again, too
        ends.killBack();
        ends.startBack();
        ends.server.failCommits(Optional.empty());
        ends.time.advance(Duration.ofMinutes(2));

        // then
        assertThat(ends.server.file("/f")).containsExactly(1, 2);
        assertThat(ends.server.commits()).isEqualTo(1);
    }

    @Test
    void shouldAddTheBytesOnceWhenTheDiskOfTheBackIsFullWhileTheyAreAdded() {
        // given
        ends.untilDelivered = false;
        ends.backDisk = disk.disk;
        ends.start();
        ends.server.put("/f", new byte[] {1}, Instant.EPOCH);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        ends.server.answerCommitsAfter(answer);
        Sink sink = ends.write(
                new WriteRequest(FilePath.of("/f"), WriteRequest.Kind.APPEND, 0, List.of(), Optional.empty()));
        ends.await(sink.write(0, Unpooled.wrappedBuffer(new byte[] {2})));
        ends.await(sink.commit(done -> {}));
        ends.time.advance(Duration.ofSeconds(5));
        assertThat(ends.server.commits()).isEqualTo(1);

        // when a front that was started again asks for the outcome
        ends.killFront();
        disk.full.set(true);
        ends.startFront();
        ends.time.advance(Duration.ofSeconds(5));
        disk.full.set(false);
        ends.time.advance(Duration.ofMinutes(1));
        answer.complete(null);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).containsExactly(1, 2);
        assertThat(ends.server.commits()).isEqualTo(1);
        assertThat(ends.frontStore.all()).isEmpty();
    }

    @Test
    void shouldArriveWhenTheDiskOfTheBackFailsForAWhile() {
        // given
        ends.backDisk = disk.disk;
        ends.start();
        ends.killBack();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        CompletableFuture<Entry> done = sink.commit(bytes -> {});
        ends.time.advance(Duration.ofSeconds(1));

        // when it takes a name and a note, and no seal
        disk.failure = StorageException.Code.IO;
        disk.room.set(2);
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(done).isNotDone();

        // when
        disk.room.set(Integer.MAX_VALUE);

        // then
        ends.await(done);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldTakeOthersWhenTheDiskOfTheBackIsFullForOneThatIsCommittedFirst() {
        // given
        ends.backDisk = disk.disk;
        ends.backLimits = new ContentStore.Limits(1L << 30, Duration.ofHours(24), 0, 1);
        ends.start();
        ends.killBack();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        CompletableFuture<Entry> done = sink.commit(bytes -> {});
        ends.time.advance(Duration.ofSeconds(1));

        // when there is room for its name and its note, and not for its seal
        disk.room.set(2);
        ends.startBack();

        // then
        TwoEnds.assertFails(Code.NO_SPACE, () -> ends.await(done));

        // when
        disk.room.set(Integer.MAX_VALUE);
        ends.upload("/g", BYTES);

        // then
        assertThat(ends.server.file("/g")).isEqualTo(BYTES);
    }
}
