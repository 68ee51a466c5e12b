package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.spi.BackendException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a back knows what it has added to files. */
final class KeptOutcomesTest {
    private TwoEnds ends;

    @BeforeEach
    void prepare(@TempDir Path directory) {
        ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.untilDelivered = false;
        ends.backLimits = new ContentStore.Limits(0, Duration.ofSeconds(1), 0, 100);
        ends.start();
        ends.server.put("/f", new byte[] {1}, Instant.EPOCH);
    }

    private void append() {
        Sink sink = ends.write(new WriteRequest(FilePath.of("/f"), Kind.APPEND, 0, List.of(), Optional.empty()));
        ends.await(sink.write(0, Unpooled.wrappedBuffer(new byte[] {2})));
        ends.await(sink.commit(done -> {}));
        ends.time.advance(Duration.ofMinutes(1));
    }

    @Test
    void shouldAddOnceWhenTheFrontHearsOfItLongAfterwards() {
        // given
        ends.server.afterCommit(() -> ends.posts.cut(true));
        append();
        ends.killFront();
        ends.killBack();
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));

        // when the back drops what need not be kept
        ends.backStore.sweep();
        ends.posts.cut(false);
        ends.startFront();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).containsExactly(1, 2);
        assertThat(ends.server.commits()).isEqualTo(1);
    }

    @Test
    void shouldForgetWhenTheFrontHasNotedIt() {
        append();

        assertThat(ends.server.file("/f")).containsExactly(1, 2);
        assertThat(ends.frontStore.all()).isEmpty();
        assertThat(ends.backStore.all()).isEmpty();
    }

    @Test
    void shouldForgetAfterAMonthWhenTheFrontNeverReturns() {
        // given
        ends.server.afterCommit(() -> ends.posts.cut(true));
        append();
        ends.killFront();
        ends.killBack();
        Content content = ends.backStore.all().get(0);
        Instant now = ends.time.clock().instant();

        // when
        content.note(now.minus(Duration.ofDays(29)), content.note());
        ends.startBack();
        ends.time.advance(Duration.ofSeconds(1));

        // then
        assertThat(ends.backStore.all()).hasSize(1);

        // when
        ends.killBack();
        content.note(now.minus(Duration.ofDays(31)), content.note());
        ends.startBack();
        ends.time.advance(Duration.ofSeconds(1));

        // then
        assertThat(ends.backStore.all()).isEmpty();
    }

    private Sink begin() {
        Sink sink = ends.write(new WriteRequest(FilePath.of("/f"), Kind.APPEND, 0, List.of(), Optional.empty()));
        ends.await(sink.write(0, Unpooled.wrappedBuffer(new byte[] {2})));
        ends.time.advance(Duration.ofSeconds(1));
        return sink;
    }

    @Test
    void shouldKeepNothingOfWhatWasNeverCommitted() {
        // given
        begin();
        ends.killFront();

        // when
        ends.time.advance(Duration.ofMinutes(40));
        ends.backStore.sweep();

        // then
        assertThat(ends.backStore.all()).isEmpty();

        // given
        ends.startFront();
        begin();
        ends.killFront();

        // when
        ends.killBack();
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));
        ends.backStore.sweep();

        // then
        assertThat(ends.backStore.all()).isEmpty();
    }

    @Test
    void shouldSayThatNobodyComesAnyMoreHoweverLongTheBackIsAway() {
        // given
        begin();
        ends.killBack();
        ends.backLimits = TwoEnds.LIMITS;
        ends.startBack();
        ends.posts.cut(true);
        ends.killFront();
        ends.startFront();
        ends.time.advance(Duration.ofMinutes(40));
        assertThat(ends.backStore.all()).hasSize(1);

        // when
        ends.posts.cut(false);
        ends.time.advance(Duration.ofMinutes(2));

        // then
        assertThat(ends.backStore.all()).isEmpty();
    }

    @Test
    void shouldAddTheBytesOnceWhenTheServerWentAwayBeforeItWasAskedTo() {
        // given
        BackendException away = BackendException.away("Connection reset by peer", null);
        ends.server.failCommits(Optional.of(away.untried()));
        append();

        // when
        ends.server.failCommits(Optional.empty());
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).containsExactly(1, 2);
        assertThat(ends.server.commits()).isEqualTo(1);
    }

    @Test
    void shouldAddTheBytesWhenTheBackIsKilledBeforeItAsksTheServerAgain() {
        // given
        BackendException away = BackendException.away("Connection reset by peer", null);
        ends.server.failCommits(Optional.of(away.untried()));
        append();
        ends.server.away(true);
        ends.time.advance(Duration.ofMinutes(1));

        // when
        ends.killBack();
        ends.server.failCommits(Optional.empty());
        ends.server.away(false);
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/f")).containsExactly(1, 2);
        assertThat(ends.server.commits()).isEqualTo(1);
    }
}
