package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.post.MessageCodec;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that clients send again, because they failed or do not know better. */
final class RetriedUploadsTest {
    private static final int LENGTH = 3_000_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);

    @TempDir
    private Path directory;

    private TwoEnds ends(Faults faults) {
        return new TwoEnds(directory, 7, faults).start();
    }

    @Test
    void shouldCrossOnlyOnceWhenAClientThatFailedSendsTheSameAgain() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink cut = ends.write("/f");
        ends.send(cut, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(1));
        ends.await(cut.abort());
        assertThat(ends.server.openSinks()).isZero();
        assertThat(ends.posts.blockBytes()).isEqualTo(2_000_000);

        // when
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @Test
    void shouldCrossOnlyOnceWhenAClientThatHangsIsTriedAgain() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink hung = ends.write("/f");
        ends.send(hung, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(11));

        // when
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
        TwoEnds.assertFails(Code.UNAVAILABLE, () -> ends.send(hung, BYTES, 2_000_000, LENGTH));
        TwoEnds.assertFails(Code.UNAVAILABLE, () -> ends.await(hung.commit(done -> {})));
        ends.await(hung.abort());
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldArriveWhenAClientThatHungIsHeardAgainAndTheFrontIsKilledThen() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink hung = ends.write("/f");
        ends.send(hung, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(11));
        Sink second = ends.write("/f");
        ends.send(second, BYTES, 0, LENGTH);
        ends.killBack();
        second.commit(done -> {});
        ends.time.advance(Duration.ofSeconds(1));

        // when
        TwoEnds.assertFails(Code.UNAVAILABLE, () -> ends.await(hung.force()));

        // then
        assertThat(ends.frontStore.all())
                .singleElement()
                .satisfies(content -> assertThat(
                                UploadNote.of(content.note()).orElseThrow().state())
                        .isEqualTo(UploadNote.State.COMMITTED));

        // when
        ends.killFront();
        ends.startBack();
        ends.startFront();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldHaveTheFileOfTheLastWhenTwoSendAtATime() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink first = ends.write("/f");
        ends.send(first, BYTES, 0, 1_000_000);
        ends.time.advance(Duration.ofSeconds(9));

        // when
        byte[] other = TwoEnds.bytes(2, LENGTH);
        Sink second = ends.write("/f");
        ends.send(second, other, 0, LENGTH);
        ends.send(first, BYTES, 1_000_000, LENGTH);
        ends.await(first.commit(done -> {}));
        ends.await(second.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(other);
    }

    @Test
    void shouldCrossOnlyOnceWhenItIsSentAgainWhileTheFirstIsBeingGivenUp() {
        // given
        FullDisk disk = new FullDisk();
        TwoEnds ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.frontDisk = disk.disk;
        ends.start();
        Sink cut = ends.write("/f");
        ends.send(cut, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(1));

        // when
        AtomicReference<CompletableFuture<Sink>> opening = new AtomicReference<>();
        disk.meanwhile = () -> {
            cut.abort();
            opening.set(ends.writing(WriteRequest.replace(FilePath.of("/f"))));
            ends.time.advance(Duration.ZERO);
        };
        ends.await(cut.write(2_000_000, Unpooled.copiedBuffer(BYTES, 2_000_000, 100_000)));
        Sink again = ends.await(opening.get());
        ends.send(again, BYTES, 0, LENGTH);
        ends.await(again.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isLessThan(LENGTH + MessageCodec.MAX_BLOCK_BYTES);
    }

    @Test
    void shouldCrossOnlyOnceWhenItIsSentAgainWhileWhatAClientThatLeftHadSentStillComes() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink left = ends.write("/f");
        ends.send(left, BYTES, 0, 2_000_000);
        left.left();
        ends.time.advance(Duration.ofSeconds(1));

        // when
        CompletableFuture<Sink> opening = ends.writing(WriteRequest.replace(FilePath.of("/f")));
        ends.time.advance(Duration.ofSeconds(1));
        ends.send(left, BYTES, 2_000_000, 2_100_000);
        assertThat(opening).isNotDone();
        ends.await(left.abort());
        Sink again = ends.await(opening);
        ends.send(again, BYTES, 0, LENGTH);
        ends.await(again.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isLessThan(LENGTH + MessageCodec.MAX_BLOCK_BYTES);
    }

    /** The front was killed when it had everything, and the client has heard nothing. */
    private Sink again(TwoEnds ends, boolean isDeliveredMeanwhile) {
        Sink first = ends.write("/f");
        ends.send(first, BYTES, 0, LENGTH);
        ends.killBack();
        CompletableFuture<Entry> lost = first.commit(done -> {});
        ends.time.advance(Duration.ofSeconds(1));
        ends.killFront();
        assertThat(lost).isNotDone();
        ends.startFront();
        Sink again = ends.write("/f");
        ends.send(again, BYTES, 0, LENGTH / 2);
        ends.startBack();
        if (isDeliveredMeanwhile) {
            ends.time.advance(Duration.ofMinutes(1));
            assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        }
        return again;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCrossOnlyOnceWhenTheSameIsSentAgainBeforeItIsDelivered(boolean isDeliveredMeanwhile) {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink again = again(ends, isDeliveredMeanwhile);

        // when
        ends.send(again, BYTES, LENGTH / 2, LENGTH);
        ends.await(again.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isLessThan(LENGTH + MessageCodec.MAX_BLOCK_BYTES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeTheLastWhenSomethingElseIsSentBeforeTheFirstIsDelivered(boolean isDeliveredMeanwhile) {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink again = again(ends, isDeliveredMeanwhile);
        byte[] other = Arrays.copyOf(BYTES, LENGTH - 1000);
        other[LENGTH - 2000]++;

        // when
        ends.send(again, other, LENGTH / 2, other.length);
        ends.await(again.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(other);
    }

    @Test
    void shouldBeShorterWhenLessIsSentBeforeTheFirstIsDelivered() {
        TwoEnds ends = ends(Faults.NONE);
        Sink again = again(ends, false);

        ends.await(again.commit(done -> {}));

        assertThat(ends.server.file("/f")).isEqualTo(Arrays.copyOf(BYTES, LENGTH / 2));
    }

    @Test
    void shouldArriveOnceWhenTheSecondClientGivesUp() {
        TwoEnds ends = ends(Faults.NONE);
        Sink again = again(ends, false);

        ends.await(again.abort());
        ends.time.advance(Duration.ofMinutes(1));

        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldCrossOnlyOnceWhenWhatWasDeliveredIsDeletedAndSentAgain() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.upload("/f", BYTES);
        ends.server.delete("/f");

        // when
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
        assertThat(ends.server.commits()).isEqualTo(2);
    }

    @Test
    void shouldArriveWhenTheOneThatWasGivenUpBeforeIsForgottenMeanwhile() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink cut = ends.write("/f");
        ends.send(cut, BYTES, 0, 2_000_000);
        ends.await(cut.abort());
        Sink again = ends.write("/f");
        ends.send(again, BYTES, 0, 2_500_000);

        // when
        ends.time.advance(Duration.ofMinutes(16));
        ends.send(again, BYTES, 2_500_000, LENGTH);
        ends.await(again.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldBeWrittenAgainWhenTheBackIsAwayWhileWhatWasDeletedIsSentAgain() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.upload("/f", BYTES);
        ends.server.delete("/f");
        ends.killBack();

        // when
        Sink again = ends.write("/f");
        ends.send(again, BYTES, 0, LENGTH);
        CompletableFuture<Entry> done = again.commit(bytes -> {});
        ends.time.advance(Duration.ofSeconds(1));
        ends.startBack();
        ends.await(done);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldHaveTheNewBytesWhenTheyDifferFromThoseBefore() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.upload("/f", BYTES);
        byte[] other = BYTES.clone();
        other[1_500_000]++;

        // when
        ends.upload("/f", other);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(other);
        assertThat(ends.frontStore.all()).hasSize(1);
    }

    @Test
    void shouldHaveTheNewLengthWhenTheSameBytesEndEarlierOrLater() {
        TwoEnds ends = ends(Faults.NONE);
        ends.upload("/f", Arrays.copyOf(BYTES, 2_000_000));

        ends.upload("/f", Arrays.copyOf(BYTES, 1_234_567));
        assertThat(ends.server.file("/f")).isEqualTo(Arrays.copyOf(BYTES, 1_234_567));

        ends.upload("/f", BYTES);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);

        ends.upload("/f", new byte[0]);
        assertThat(ends.server.file("/f")).isEmpty();
    }
}
