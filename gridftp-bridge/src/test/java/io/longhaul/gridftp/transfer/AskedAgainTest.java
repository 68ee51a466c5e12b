package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fronts that ask a second time, just as what they asked for comes. */
final class AskedAgainTest {
    /** So many that the outcome has come by then. */
    private static final int MOST_STEPS = 120;

    @TempDir
    private Path directory;

    /** The front asks again after the back has opened the place at its second try. */
    @Test
    void shouldGoOnWhenTheServerHadTroubleForAMoment() {
        // given
        TwoEnds ends = new TwoEnds(directory, 43, Faults.NONE).start();
        ends.server.put("/f", new byte[] {1}, Instant.EPOCH);
        ends.server.beforeWrite(() -> {
            ends.server.away(true);
            ends.time.schedule(() -> ends.server.away(false), 100, TimeUnit.MILLISECONDS);
        });

        // when
        CompletableFuture<Sink> opened = ends.writing(
                new WriteRequest(FilePath.of("/f"), Kind.RESTART, 0, List.of(new ByteRange(0, 1)), Optional.empty()));

        // then
        assertThat(ends.time.runUntil(opened::isDone, Duration.ofMinutes(1))).isTrue();
        assertThat(opened).isCompleted();
    }

    /** Whose front is started again asks for the outcome while the server answers. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAppendOnceWhenTheOutcomeComesWhileTheFrontAsksAgain(boolean untilDelivered) throws IOException {
        for (int steps = 0; steps < MOST_STEPS; steps++) {
            // given
            TwoEnds ends = new TwoEnds(Files.createDirectory(directory.resolve("after-" + steps)), 7, Faults.NONE);
            ends.untilDelivered = untilDelivered;
            ends.start();
            ends.server.put("/f", new byte[] {1}, Instant.EPOCH);
            CompletableFuture<Void> answered = new CompletableFuture<>();
            ends.server.answerCommitsAfter(answered);
            Sink sink = ends.write(new WriteRequest(FilePath.of("/f"), Kind.APPEND, 0, List.of(), Optional.empty()));
            ends.await(sink.write(0, Unpooled.wrappedBuffer(new byte[] {2})));
            sink.commit(done -> {});
            ends.time.advance(Duration.ofSeconds(5));
            ends.killFront();
            ends.startFront();

            // when
            for (int i = 0; i < steps; i++) {
                ends.time.step();
            }
            answered.complete(null);
            ends.time.advance(Duration.ofMinutes(5));

            // then
            assertThat(ends.server.file("/f")).as("after %d steps", steps).containsExactly(1, 2);
        }
    }
}
