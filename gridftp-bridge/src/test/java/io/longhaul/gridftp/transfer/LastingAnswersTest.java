package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files for a server that is there and says each time that it cannot have them now. */
final class LastingAnswersTest {
    private static final int LENGTH = 300_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);
    private static final byte[] MANY = TwoEnds.bytes(2, 10 * LENGTH);

    private TwoEnds ends;

    @BeforeEach
    void prepare(@TempDir Path directory) {
        ends = new TwoEnds(directory, 7, Faults.NONE);
    }

    private CompletableFuture<Entry> upload() {
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH);
        return sink.commit(done -> {});
    }

    @Test
    void shouldTellTheClientWhenTheServerSaysTheSameAgainAndAgain() {
        // given
        ends.start();
        ends.server.failCommits(Optional.of(new BackendException(Code.UNAVAILABLE, "425")));

        // when
        CompletableFuture<Entry> done = upload();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(done).isNotDone();
        TwoEnds.assertFails(Code.LASTING, () -> ends.await(done));

        // when
        ends.server.failCommits(Optional.empty());
        ends.upload("/f", BYTES);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeWhatTheClientSendsWhileTheServerSaysTheSameAgainAndAgain(boolean untilDelivered) {
        // given
        ends.untilDelivered = untilDelivered;
        ends.start();
        ends.server.refuse(Optional.of(Code.UNAVAILABLE));
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH / 2);

        // when
        ends.time.advance(Duration.ofMinutes(5));
        ends.send(sink, BYTES, LENGTH / 2, LENGTH);
        ends.server.refuse(Optional.empty());
        ends.await(sink.commit(done -> {}));
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldWaitAsLongAsItTakesWhenTheServerIsAway() {
        // given
        ends.start();
        ends.server.away(true);
        CompletableFuture<Entry> done = upload();

        // when
        ends.time.advance(Duration.ofHours(1));
        ends.server.away(false);

        // then
        ends.await(done);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldArriveInTheEndWhenTheClientWasToldThatItWill() {
        // given
        ends.untilDelivered = false;
        ends.start();
        ends.killBack();
        ends.await(upload());
        ends.server.failCommits(Optional.of(new BackendException(Code.UNAVAILABLE, "425")));
        ends.startBack();
        ends.time.advance(Duration.ofHours(1));

        // when
        ends.server.failCommits(Optional.empty());
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    /** Begins to read a file, of which the server gives so many bytes for now. */
    private Source reading(Hindered hindered, long readable) {
        ends.backends = user -> hindered.backend();
        ends.start();
        ends.server.put("/f", MANY, Instant.EPOCH);
        hindered.readable = readable;
        return ends.await(ends.reading("/f"));
    }

    @Test
    void shouldTellTheReaderWhenTheServerCannotGiveTheRestAgainAndAgain() {
        // given
        Hindered hindered = new Hindered(ends.server);
        Source source = reading(hindered, 5L * LENGTH);
        byte[] first = ends.rest(source, 4 * LENGTH);

        // when
        ends.time.advance(Duration.ofMinutes(1));

        // then
        TwoEnds.assertFails(Code.LASTING, () -> ends.rest(source, Integer.MAX_VALUE));
        assertThat(MANY).startsWith(first);
        assertThat(ends.time.nanoTime()).isBetween(minutes(1), minutes(3));

        // when
        source.close();
        hindered.readable = Long.MAX_VALUE;

        // then
        assertThat(ends.download("/f")).isEqualTo(MANY);
    }

    private static long minutes(int count) {
        return Duration.ofMinutes(count).toNanos();
    }

    @Test
    void shouldGiveTheReaderAllWhenTheServerCannotGiveTheRestForAMinute() {
        // given
        Hindered hindered = new Hindered(ends.server);
        Source source = reading(hindered, 5L * LENGTH);

        // when
        ends.time.advance(Duration.ofMinutes(1));
        hindered.readable = Long.MAX_VALUE;

        // then
        assertThat(ends.rest(source, Integer.MAX_VALUE)).isEqualTo(MANY);
    }

    @Test
    void shouldReadEveryByteOnceWhenTheServerBreaksOffBehindEachBlock() {
        // given
        Hindered hindered = new Hindered(ends.server);
        hindered.blocks = 1;
        Source source = reading(hindered, Long.MAX_VALUE);

        // when
        byte[] all = ends.rest(source, Integer.MAX_VALUE);

        // then
        assertThat(all).isEqualTo(MANY);
        assertThat(ends.server.read()).isEqualTo(MANY.length);
    }

    static List<Arguments> hindrances() {
        BackendException inUse = new BackendException(Code.UNAVAILABLE, "is being written by somebody else");
        BackendException noSession = BackendException.away("all sessions are in use", null);
        return List.of(
                Arguments.of(false, inUse),
                Arguments.of(true, inUse),
                Arguments.of(false, noSession),
                Arguments.of(true, noSession));
    }

    @ParameterizedTest
    @MethodSource("hindrances")
    void shouldHaveTheFileOfTheLastWhenTheServerLetsOneWriteAtATime(boolean untilDelivered, BackendException told) {
        // given
        Hindered hindered = new Hindered(ends.server);
        hindered.second = Optional.of(told);
        ends.backends = user -> hindered.backend();
        ends.untilDelivered = untilDelivered;
        ends.start();
        byte[] other = TwoEnds.bytes(2, LENGTH);
        Sink first = ends.write("/f");
        ends.send(first, other, 0, LENGTH / 2);
        CompletableFuture<Entry> second = upload();

        // when
        ends.time.advance(Duration.ofSeconds(5));
        ends.send(first, other, LENGTH / 2, LENGTH);
        CompletableFuture<Entry> last = first.commit(done -> {});
        ends.time.advance(Duration.ofMinutes(5));

        // then
        assertThat(second).isCompleted();
        assertThat(last).isCompleted();
        assertThat(ends.server.commits()).isEqualTo(2);
        assertThat(ends.server.file("/f")).isEqualTo(other);
    }
}
