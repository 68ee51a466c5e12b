package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send the rest of a file, of which the server has the beginning. */
final class RestartedUploadsTest {
    private static final int LENGTH = 1_000_000;
    private static final int THERE = 400_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);
    private static final byte[] OTHERS = TwoEnds.bytes(2, LENGTH);
    private static final WriteRequest REST =
            new WriteRequest(FilePath.of("/f"), Kind.RESTART, 0, List.of(new ByteRange(0, THERE)), Optional.empty());

    @TempDir
    private Path directory;

    private TwoEnds ends;

    @BeforeEach
    void begin() {
        ends = new TwoEnds(directory, 1, Faults.NONE).start();
        ends.server.put("/f", Arrays.copyOf(BYTES, THERE), Instant.EPOCH);
    }

    private static Code failure(CompletableFuture<?> failed) {
        CompletionException found = catchThrowableOfType(CompletionException.class, failed::join);
        return ((BackendException) found.getCause()).code();
    }

    @Test
    void shouldAddTheRestWhenTheBackIsKilledMeanwhile() {
        // given
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, THERE + 100_000);

        // when
        ends.killBack();
        ends.startBack();
        ends.send(sink, BYTES, THERE + 100_000, LENGTH);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldAddTheRestWhenTheServerHasNoMoreSessionsThanWritesAreOpen() {
        // given
        ends.server.sessions(1);

        // when
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldRefuseTheCommitWhenTheFileIsReplacedJustBeforeItIsOpened() {
        // given
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.killBack();
        ends.server.away(true);
        ends.server.away(false);
        ends.startBack();

        // when
        ends.server.beforeWrite(() -> ends.server.put("/f", OTHERS, Instant.EPOCH.plusSeconds(1)));
        CompletableFuture<Entry> commit = sink.commit(done -> {});

        // then
        ends.time.runUntil(commit::isDone, TwoEnds.LONG);
        assertThat(failure(commit)).isEqualTo(Code.BAD_RANGE);
        assertThat(ends.server.file("/f")).isEqualTo(OTHERS);
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldRefuseTheCommitWhenTheFileIsReplacedWhileNobodyHasItOpen() {
        // given
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, THERE + 100_000);

        // when
        ends.killBack();
        ends.server.put("/f", OTHERS, Instant.EPOCH.plusSeconds(1));
        ends.startBack();
        ends.send(sink, BYTES, THERE + 100_000, LENGTH);
        CompletableFuture<Entry> commit = sink.commit(done -> {});

        // then
        ends.time.runUntil(commit::isDone, TwoEnds.LONG);
        assertThat(failure(commit)).isEqualTo(Code.BAD_RANGE);
        assertThat(ends.server.file("/f")).isEqualTo(OTHERS);
    }

    @Test
    void shouldRefuseTheCommitWhenAnotherFileHasTheSameEnd() {
        // given
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.time.advance(Duration.ofSeconds(1));
        ends.killBack();
        byte[] other = BYTES.clone();
        other[0]++;

        // when
        ends.server.put("/f", other, Instant.EPOCH.plusSeconds(1));
        ends.startBack();
        CompletableFuture<Entry> commit = sink.commit(done -> {});

        // then
        ends.time.runUntil(commit::isDone, TwoEnds.LONG);
        assertThat(failure(commit)).isEqualTo(Code.BAD_RANGE);
        assertThat(ends.server.file("/f")).isEqualTo(other);
    }

    @Test
    void shouldNotTakeAnotherFileForItsOwnWhenTheRestIsEmpty() {
        // given
        Sink sink = ends.write(REST);
        byte[] other = Arrays.copyOf(OTHERS, THERE);
        ends.server.afterCommit(() -> {
            ends.killBack();
            ends.server.put("/f", other, Instant.EPOCH.plusSeconds(1));
        });

        // when
        CompletableFuture<Entry> commit = sink.commit(done -> {});
        ends.time.runUntil(() -> ends.server.commits() > 0, TwoEnds.LONG);
        ends.startBack();

        // then
        ends.time.runUntil(commit::isDone, TwoEnds.LONG);
        assertThat(failure(commit)).isEqualTo(Code.BAD_RANGE);
    }

    @Test
    void shouldHaveItStoredOnceWhenTheBackIsKilledBeforeItNotesTheEnd() {
        // given
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.server.afterCommit(ends::killBack);

        // when
        CompletableFuture<Entry> commit = sink.commit(done -> {});
        ends.time.runUntil(() -> ends.server.commits() > 0, TwoEnds.LONG);
        ends.startBack();

        // then
        assertThat(ends.await(commit).length()).isEqualTo(LENGTH);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.commits()).isEqualTo(1);
    }

    @Test
    void shouldHaveItStoredOnceWhenTheServerGoesAwayBeforeItAnswers() {
        // given
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.server.afterCommit(() -> ends.server.away(true));

        // when
        CompletableFuture<Entry> commit = sink.commit(done -> {});
        ends.time.advance(Duration.ofMinutes(1));
        ends.server.away(false);

        // then
        assertThat(ends.await(commit).length()).isEqualTo(LENGTH);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.commits()).isEqualTo(1);
    }

    @Test
    void shouldHaveItStoredWhenTheSameWasCommittedBeforeTheFrontWasKilled() {
        // given
        Sink first = ends.write(REST);
        ends.send(first, BYTES, THERE, LENGTH - 1000);
        ends.time.advance(Duration.ofSeconds(1));
        ends.posts.cut(true);
        ends.send(first, BYTES, LENGTH - 1000, LENGTH);
        first.commit(done -> {});
        ends.time.advance(Duration.ofSeconds(1));
        ends.killFront();
        ends.startFront();

        // when its client comes again before it is delivered
        CompletableFuture<Sink> opening = ends.writing(REST);
        ends.posts.cut(false);
        Sink again = ends.await(opening);
        ends.send(again, BYTES, THERE, LENGTH);
        CompletableFuture<Entry> commit = again.commit(done -> {});

        // then
        assertThat(ends.await(commit).length()).isEqualTo(LENGTH);
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.commits()).isEqualTo(1);
    }

    @Test
    void shouldNotLetTheClientGoOnBeforeTheFileWasLookedAt() {
        // given
        ends.posts.cut(true);

        // when
        CompletableFuture<Sink> opening = ends.writing(REST);
        ends.time.advance(Duration.ofSeconds(30));

        // then
        assertThat(opening).isNotDone();
        ends.posts.cut(false);
        assertThat(ends.await(opening).abort()).isNotNull();

        // when nobody comes
        ends.posts.cut(true);
        CompletableFuture<Sink> given = ends.writing(REST);
        ends.time.runUntil(given::isDone, TwoEnds.LONG);

        // then
        assertThat(failure(given)).isEqualTo(Code.UNAVAILABLE);
    }

    @Test
    void shouldWaitForItsTurnWhenOthersUseTheServer() {
        // given
        Hindered busy = new Hindered(ends.server);
        busy.turn = new CompletableFuture<>();
        ends.killBack();
        ends.backends = user -> busy.backend();
        ends.startBack();
        CompletableFuture<Sink> opening = ends.writing(REST);

        // when
        ends.time.advance(Duration.ofMinutes(20));

        // then
        assertThat(opening).isNotDone();

        // when
        busy.turn.complete(null);
        Sink sink = ends.await(opening);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }

    @Test
    void shouldSayWhyWhenTheServerStaysAway() {
        // given
        ends.server.away(true);

        // when
        CompletableFuture<Sink> opening = ends.writing(REST);
        ends.time.advance(Duration.ofSeconds(55));

        // then
        assertThat(opening).isNotDone();

        // when
        ends.time.advance(Duration.ofSeconds(45));

        // then
        assertThat(failure(opening)).isEqualTo(Code.UNAVAILABLE);
        assertThatThrownBy(opening::join).hasMessageContaining("Connection refused");

        // when
        ends.server.away(false);
        Sink sink = ends.write(REST);
        ends.send(sink, BYTES, THERE, LENGTH);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }
}
