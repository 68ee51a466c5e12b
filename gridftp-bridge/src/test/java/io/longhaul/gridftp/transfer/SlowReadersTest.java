package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client that does not read on, or not fast, holds at the server. */
final class SlowReadersTest {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    private TwoEnds ends;
    private Hindered server;

    @BeforeEach
    void start() {
        ends = new TwoEnds(directory, 7, Faults.NONE);
        server = new Hindered(ends.server);
        ends.backends = user -> server.backend();
        ends.start();
    }

    @Test
    void shouldLeaveTheServerToOthersWhileTheClientDoesNotReadOn() {
        // given
        ends.server.put("/f", new byte[240_000_000], LONG_AGO);

        // when
        Source source = ends.await(ends.reading("/f"));
        ends.time.advance(Duration.ofSeconds(30));

        // then
        assertThat(server.reading).isZero();
        assertThat(ends.server.read()).isLessThan(240_000_000);

        // when it does
        long length = 0;
        for (Optional<Block> next = ends.await(source.next()); next.isPresent(); next = ends.await(source.next())) {
            length += next.get().bytes().readableBytes();
            next.get().bytes().release();
        }

        // then
        assertThat(length).isEqualTo(240_000_000);
        assertThat(ends.server.read()).isLessThan(241_000_000);
        source.close();
    }

    @Test
    void shouldReadOnAtAServerThatBeginsAtTheBeginningOnlyWhenTheClientIsSlow() {
        // given
        server.fromTheStart = true;
        ends.server.put("/f", new byte[400_000_000], LONG_AGO);
        Source source = ends.await(ends.reading("/f"));

        // when
        for (int read = 0; read < 80; read += 4) {
            ends.rest(source, 4 << 20);
            ends.time.advance(Duration.ofSeconds(20));
        }

        // then
        assertThat(server.reading).isEqualTo(1);
        assertThat(server.opened).isEqualTo(1);

        // when it stops
        ends.time.advance(Duration.ofSeconds(80));

        // then
        assertThat(server.reading).isZero();
        source.close();
    }

    @Test
    void shouldLeaveTheServerToOthersWhenAllHasBeenRead() {
        // given
        ends.server.put("/f", new byte[100_000], LONG_AGO);

        // when
        Source source = ends.await(ends.reading("/f"));
        ends.time.advance(Duration.ofMillis(100));

        // then
        assertThat(server.opened).isEqualTo(1);
        assertThat(server.reading).isZero();
        source.close();
    }

    @Test
    void shouldReadOnForASecondReaderWhileTheFirstStandsStill() {
        // given
        ends.server.put("/f", new byte[240_000_000], LONG_AGO);
        Source first = ends.await(ends.reading("/f"));
        ends.time.advance(Duration.ofSeconds(30));

        // when
        byte[] bytes = ends.download("/f", new ByteRange(150_000_000, 240_000_000));

        // then
        assertThat(bytes).hasSize(90_000_000);
        first.close();
    }

    @Test
    void shouldBeReadWhenItsTurnComesAfterManyMinutes() {
        // given
        byte[] bytes = TwoEnds.bytes(1, 100_000);
        ends.server.put("/f", bytes, LONG_AGO);
        server.turn = new CompletableFuture<>();
        CompletableFuture<Source> reading = ends.reading("/f");

        // when
        ends.time.advance(Duration.ofMinutes(20));

        // then
        assertThat(reading).isNotDone();

        // when
        server.turn.complete(null);

        // then
        assertThat(ends.rest(ends.await(reading), Integer.MAX_VALUE)).isEqualTo(bytes);
    }
}
