package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.post.MessageCodec;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a back keeps at its server for a front of which it hears nothing. */
final class GoneFrontsTest {
    private static final int LENGTH = 4_200_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);

    @TempDir
    private Path directory;

    private TwoEnds ends;

    @BeforeEach
    void start() {
        ends = new TwoEnds(directory, 1, Faults.NONE).start();
    }

    private Sink sendHalf() {
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, LENGTH / 2);
        ends.time.advance(Duration.ofSeconds(10));
        assertThat(ends.server.written()).isEqualTo(LENGTH / 2);
        return sink;
    }

    @Test
    void shouldGiveBackItsPlaceAtTheServerWhenTheFrontIsGone() {
        // given
        sendHalf();

        // when
        ends.killFront();
        ends.time.advance(Duration.ofMinutes(3));

        // then
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldGoOnAtTheServerWhenTheFrontIsCutOffForAWhile() {
        // given
        Sink sink = sendHalf();

        // when
        ends.posts.cut(true);
        ends.time.advance(Duration.ofSeconds(90));
        ends.posts.cut(false);
        ends.send(sink, BYTES, LENGTH / 2, LENGTH);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.written()).isEqualTo(LENGTH);
    }

    @Test
    void shouldSendNothingTwiceOverTheNetworkWhenTheFrontIsCutOffForLong() {
        // given
        Sink sink = sendHalf();

        // when
        ends.posts.cut(true);
        ends.time.advance(Duration.ofMinutes(20));
        boolean wasGivenUp = ends.server.openSinks() == 0;
        ends.posts.cut(false);
        ends.send(sink, BYTES, LENGTH / 2, LENGTH);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(wasGivenUp).isTrue();
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isLessThan(LENGTH + MessageCodec.MAX_BLOCK_BYTES);
    }

    @Test
    void shouldDeliverWhatIsWholeWhenTheServerComesBackLaterThanTheFrontIsGivenUp() {
        // given
        Sink sink = sendHalf();
        ends.server.away(true);
        ends.send(sink, BYTES, LENGTH / 2, LENGTH);
        CompletableFuture<Entry> untold = sink.commit(done -> {});
        ends.time.advance(Duration.ofSeconds(10));

        // when
        ends.killFront();
        ends.time.advance(Duration.ofMinutes(10));
        ends.server.away(false);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(untold).isNotDone();
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
    }
}
