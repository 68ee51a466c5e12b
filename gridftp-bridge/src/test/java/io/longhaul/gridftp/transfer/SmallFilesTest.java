package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often small files have both ends wait for each other. */
final class SmallFilesTest {
    private static final Duration ONE_WAY = Duration.ofMillis(50);
    private static final Duration ROUND_TRIP = ONE_WAY.multipliedBy(2);
    private static final int LENGTH = 4096;

    @TempDir
    private Path directory;

    private TwoEnds far() {
        return new TwoEnds(directory, 1, new Faults(0, 0, ONE_WAY, ONE_WAY)).start();
    }

    private static WriteRequest announced(String path) {
        return new WriteRequest(FilePath.of(path), Kind.REPLACE, LENGTH, List.of(), Optional.empty());
    }

    private static void upload(TwoEnds ends, WriteRequest request, byte[] bytes) {
        Sink sink = ends.write(request);
        ends.await(sink.write(0, Unpooled.copiedBuffer(bytes)));
        ends.await(sink.commit(done -> {}));
    }

    private static Duration took(TwoEnds ends, Runnable action) {
        long begunNs = ends.time.nanoTime();
        action.run();
        return Duration.ofNanos(ends.time.nanoTime() - begunNs);
    }

    @Test
    void shouldTakeOneRoundTripWhenTheDirectoryHasJustTakenAFile() {
        // given
        TwoEnds ends = far();
        upload(ends, announced("/d/first"), TwoEnds.bytes(1, LENGTH));
        byte[] bytes = TwoEnds.bytes(2, LENGTH);

        // when
        Duration took = took(ends, () -> upload(ends, announced("/d/second"), bytes));

        // then
        assertThat(took).isLessThan(ROUND_TRIP.multipliedBy(3).dividedBy(2));
        assertThat(ends.server.file("/d/second")).isEqualTo(bytes);
    }

    @Test
    void shouldTakeTwoRoundTripsWhenItIsNotKnownWhetherTheServerTakesIt() {
        // given
        TwoEnds ends = far();
        byte[] bytes = TwoEnds.bytes(1, LENGTH);

        // when
        Duration took = took(ends, () -> upload(ends, WriteRequest.replace(FilePath.of("/f")), bytes));

        // then
        assertThat(took).isLessThan(ROUND_TRIP.multipliedBy(5).dividedBy(2));
        assertThat(ends.server.file("/f")).isEqualTo(bytes);
    }

    @Test
    void shouldTakeOneRoundTripToBeRead() {
        // given
        TwoEnds ends = far();
        byte[] bytes = TwoEnds.bytes(1, LENGTH);
        ends.server.put("/f", bytes, Instant.EPOCH);

        // when
        Duration took = took(
                ends,
                () -> assertThat(ends.rest(ends.await(ends.reading("/f")), LENGTH))
                        .isEqualTo(bytes));

        // then
        assertThat(took).isLessThan(ROUND_TRIP.multipliedBy(3).dividedBy(2));
        assertThat(ends.server.looks).as("before it is read, and behind it").isEqualTo(2);
    }

    @Test
    void shouldNotCrossTheNetworkAgainWhenItIsSentOrReadAgain() {
        // given
        TwoEnds ends = far();
        byte[] bytes = TwoEnds.bytes(1, LENGTH);
        upload(ends, announced("/f"), bytes);
        ends.server.put("/g", bytes, Instant.EPOCH);
        ends.download("/g");
        long before = ends.posts.blockBytes();

        // when
        upload(ends, announced("/f"), bytes);
        byte[] again = ends.download("/g");

        // then
        assertThat(again).isEqualTo(bytes);
        assertThat(before).isEqualTo(2 * LENGTH);
        assertThat(ends.posts.blockBytes()).isEqualTo(before);
    }

    @Test
    void shouldCrossTheNetworkOnceWhenNothingIsLost() {
        // given
        TwoEnds ends = far();

        // when
        for (int i = 0; i < 5; i++) {
            upload(ends, announced("/d/" + i), TwoEnds.bytes(i, LENGTH));
        }
        ends.time.advance(Duration.ofSeconds(30));

        // then
        assertThat(ends.posts.sent(MessageKind.BLOCK)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldArriveBothWaysWhenMessagesAreLostAndCutIn(long seed) {
        // given
        TwoEnds ends = new TwoEnds(directory, seed, Faults.MANY).start();

        for (int i = 0; i < 20; i++) {
            // when
            byte[] bytes = TwoEnds.bytes(seed + i, 1 + 1000 * i);
            String path = "/d/" + i;
            upload(ends, announced(path), bytes);

            // then
            assertThat(ends.server.file(path)).isEqualTo(bytes);
            assertThat(ends.download(path)).isEqualTo(bytes);
        }
    }

    @Test
    void shouldBeToldBehindItsBytesThatTheServerRefusesItAndAskBeforeFromThenOn() {
        // given
        TwoEnds ends = far();
        upload(ends, announced("/d/first"), TwoEnds.bytes(1, LENGTH));
        ends.server.refuse(Optional.of(Code.DENIED));

        // when
        Sink sink = ends.write(announced("/d/second"));
        ends.await(sink.write(0, Unpooled.copiedBuffer(TwoEnds.bytes(2, LENGTH))));

        // then
        TwoEnds.assertFails(Code.DENIED, () -> ends.await(sink.commit(done -> {})));
        TwoEnds.assertFails(Code.DENIED, () -> ends.write(announced("/d/third")));
    }

    @Test
    void shouldBeBegunAtTheServerWhenItDoesNotComeSoon() {
        // given
        TwoEnds ends = far();
        upload(ends, announced("/d/first"), TwoEnds.bytes(1, LENGTH));
        Sink sink = ends.write(announced("/d/second"));
        ends.await(sink.write(0, Unpooled.copiedBuffer(TwoEnds.bytes(2, LENGTH / 2))));
        assertThat(ends.server.openSinks()).isZero();

        // when
        ends.time.advance(Duration.ofSeconds(1));

        // then
        assertThat(ends.server.openSinks()).isOne();
        assertThat(ends.server.written()).isEqualTo(LENGTH + LENGTH / 2);
    }

    @Test
    void shouldTellTheServerOfAWriteThatIsCutBeforeItWasBegunThere() {
        // given
        TwoEnds ends = far();
        upload(ends, announced("/d/first"), TwoEnds.bytes(1, LENGTH));
        boolean[] isBegun = new boolean[1];
        Sink sink = ends.write(announced("/d/second"));
        ends.await(sink.write(0, Unpooled.copiedBuffer(TwoEnds.bytes(2, LENGTH / 2))));

        // when
        ends.server.beforeWrite(() -> isBegun[0] = true);
        ends.await(sink.abort());
        ends.time.advance(Duration.ofSeconds(5));

        // then the old file is not taken for what was sent
        assertThat(isBegun[0]).isTrue();
        assertThat(ends.server.openSinks()).isZero();
        assertThat(ends.server.has("/d/second")).isFalse();
    }
}
