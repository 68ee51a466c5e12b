package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UploadsTest {
    private static final int LENGTH = 3_000_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);

    @TempDir
    private Path directory;

    private TwoEnds ends(Faults faults) {
        return new TwoEnds(directory, 7, faults).start();
    }

    private static WriteRequest request(Kind kind, ByteRange... present) {
        return new WriteRequest(FilePath.of("/f"), kind, 0, List.of(present), Optional.empty());
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldArriveAsItWasSentWhenNothingFails() {
        TwoEnds ends = ends(Faults.NONE);

        ends.upload("/f", BYTES);
        ends.upload("/empty", new byte[0]);

        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.file("/empty")).isEmpty();
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @Test
    void shouldArriveAsItWasSentWhenTheNetworkLosesAndRepeats() {
        TwoEnds ends = ends(Faults.MANY);

        ends.upload("/f", BYTES);

        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldArriveAsItWasSentWhenBlocksComeInAnyOrder() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink sink = ends.write("/f");

        // when
        for (int at = LENGTH - 250_000; at >= 0; at -= 250_000) {
            ends.send(sink, BYTES, at, at + 250_000);
        }
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldReachTheServerWhenTheClientStillSends() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink sink = ends.write("/f");

        // when
        ends.send(sink, BYTES, 0, LENGTH / 10);
        ends.time.advance(Duration.ofMillis(100));

        // then
        assertThat(ends.server.written()).isEqualTo(LENGTH / 10);
        assertThat(ends.server.has("/f")).isFalse();
    }

    @Test
    void shouldHaveTheLastBytesWhenAClientSendsAPlaceTwice() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        ends.time.advance(Duration.ofSeconds(1));
        byte[] expected = BYTES.clone();
        System.arraycopy(text("changed"), 0, expected, 1000, 7);

        // when
        ends.await(sink.write(1000, Unpooled.wrappedBuffer(text("changed"))));
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(expected);
    }

    @Test
    void shouldBeOneOfThemInOrderOfCommitWhenTwoWriteTheSamePath() {
        // given
        TwoEnds ends = ends(Faults.MANY);
        byte[] other = TwoEnds.bytes(2, LENGTH);
        Sink one = ends.write("/f");
        Sink two = ends.write("/f");
        ends.send(one, BYTES, 0, 1_000_000);
        ends.send(two, other, 0, LENGTH);
        ends.send(one, BYTES, 1_000_000, LENGTH);

        // when
        CompletableFuture<Entry> first = two.commit(done -> {});
        CompletableFuture<Entry> second = one.commit(done -> {});
        ends.await(first);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(other);
        ends.await(second);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldGoOnWithWhatTheClientSentWhenItResumes() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink cut = ends.write("/f");
        ends.send(cut, BYTES, 0, 1_000_000);
        ends.await(cut.force());
        ends.await(cut.suspend());

        // then
        TwoEnds.assertFails(Code.BAD_RANGE, () -> ends.write(request(Kind.RESUME, new ByteRange(0, 1_000_001))));

        // when
        Sink resumed = ends.write(request(Kind.RESUME, new ByteRange(0, 900_000)));
        ends.send(resumed, BYTES, 900_000, 1_100_000);
        ends.await(resumed.suspend());

        // then
        ends.killFront();
        ends.startFront();
        Sink again = ends.write(request(Kind.RESUME, new ByteRange(0, 1_100_000)));
        ends.send(again, BYTES, 1_100_000, LENGTH);
        ends.await(again.commit(done -> {}));
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @Test
    void shouldAddOnceWhenBytesAreAppended() {
        // given
        TwoEnds ends = ends(Faults.MANY);
        ends.upload("/f", text("one"));

        // when
        Sink sink = ends.write(request(Kind.APPEND));
        ends.send(sink, text("two"), 0, 3);
        ends.await(sink.commit(done -> {}));
        Sink over = ends.write(request(Kind.OVERLAY));
        ends.await(over.write(2, Unpooled.wrappedBuffer(text("E"))));
        ends.await(over.commit(done -> {}));
        ends.time.advance(Duration.ofMinutes(2));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(text("onEtwo"));
    }

    @Test
    void shouldSayThatNobodyKnowsWhenTheServerGoesAwayWhileBytesAreAppended() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink sink = ends.write(request(Kind.APPEND));
        ends.send(sink, text("two"), 0, 3);

        // when
        ends.server.awayAtCommit();

        // then
        assertThatThrownBy(() -> ends.await(sink.commit(done -> {})))
                .hasMessageContaining("not known whether the bytes were appended");
    }

    @Test
    void shouldSayWhatTheServerSaysWhenItRefuses() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.refuse(Optional.of(Code.DENIED));

        // then
        TwoEnds.assertFails(Code.DENIED, () -> ends.write("/f"));
        assertThat(ends.frontStore.all()).allMatch(content -> content.coveredBytes() == 0);
    }

    @Test
    void shouldWaitAndGoOnWhenTheServerIsAwayForAMinute() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 2_000_000);
        ends.time.advance(Duration.ofSeconds(1));
        List<Long> progress = new ArrayList<>();

        // when
        ends.server.away(true);
        ends.send(sink, BYTES, 2_000_000, LENGTH);
        CompletableFuture<Entry> done = sink.commit(progress::add);
        ends.time.advance(Duration.ofMinutes(1));
        assertThat(done).isNotDone();
        ends.server.away(false);

        // then
        assertThat(ends.await(done).length()).isEqualTo(LENGTH);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
        assertThat(progress).doesNotHaveDuplicates();
    }

    @Test
    void shouldTakeAnUploadWhenTheBackIsNotThere() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.killBack();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        CompletableFuture<Entry> done = sink.commit(bytes -> {});
        ends.time.advance(Duration.ofMinutes(5));

        // when
        ends.startBack();

        // then
        ends.await(done);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldArriveWhenTheFrontIsKilledAfterItSaidThatItHasIt() {
        // given
        TwoEnds ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.untilDelivered = false;
        ends.start();
        ends.killBack();
        ends.upload("/f", BYTES);
        ends.upload("/g", text("two"));

        // when
        ends.killFront();
        ends.frontBoot = 2;
        ends.startFront();
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.file("/g")).isEqualTo(text("two"));
    }

    @Test
    void shouldArriveWhenTheClientVanishesAfterItsLastByte() {
        TwoEnds ends = ends(Faults.MANY);
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);

        sink.commit(done -> {});
        ends.time.advance(Duration.ofMinutes(1));

        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldArriveAsItWasSentWhenTheDiskOfTheBackChangesBytes() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.away(true);
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        CompletableFuture<Entry> done = sink.commit(bytes -> {});
        ends.time.advance(Duration.ofSeconds(1));

        // when: nothing of it is in memory any more
        ends.killBack();
        ends.damage("back");
        ends.startBack();
        ends.server.away(false);

        // then
        ends.await(done);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(2 * LENGTH);
    }

    @Test
    void shouldNotBecomeAFileWhenTheDiskOfTheFrontChangesBytes() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.killBack();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        CompletableFuture<Entry> done = sink.commit(bytes -> {});
        ends.time.advance(Duration.ofSeconds(1));

        // when
        ends.damage("front");
        ends.startBack();

        // then
        assertThatThrownBy(() -> ends.await(done)).hasMessageContaining("the content is damaged");
        assertThat(ends.server.has("/f")).isFalse();

        // when
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldRemoveWhatAKilledBackLeftWhenTheClientIsGone() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 1_000_000);
        ends.time.advance(Duration.ofSeconds(1));
        assertThat(ends.server.temporaries).hasSize(1);

        // when
        ends.killBack();
        ends.killFront();
        ends.server.away(true);
        ends.startBack();
        ends.time.advance(Duration.ofSeconds(1));
        ends.server.away(false);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.temporaries).isEmpty();
    }
}
