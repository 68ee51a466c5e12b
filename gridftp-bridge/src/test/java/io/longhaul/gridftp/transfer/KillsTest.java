package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.post.MessageCodec;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills anything at random moments, on a network that loses, repeats and disorders. */
final class KillsTest {
    private static final int LENGTH = 4_200_000;
    private static final int KILLS = 6;

    @TempDir
    private Path directory;

    /** Kills something, and lets it come back after a while. */
    private static void strike(TwoEnds ends, Random random) {
        ends.time.advance(Duration.ofMillis(random.nextInt(400)));
        Duration away = Duration.ofMillis(random.nextInt(20_000));
        switch (random.nextInt(3)) {
            case 0 -> {
                ends.killBack();
                // the machine may have gone down too
                ends.backBoot += random.nextInt(2);
                ends.time.advance(away);
                ends.startBack();
            }
            case 1 -> {
                ends.server.away(true);
                ends.time.advance(away);
                ends.server.away(false);
            }
            default -> {
                ends.posts.cut(true);
                ends.time.advance(away);
                ends.posts.cut(false);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldArriveWithoutTheClientNoticingWhenAllBehindTheFrontIsKilled(long seed) {
        // given
        Random random = new Random(seed);
        TwoEnds ends = new TwoEnds(directory, seed, Faults.MANY).start();
        byte[] bytes = TwoEnds.bytes(seed, LENGTH);
        Sink sink = ends.write("/f");

        // when
        for (int kill = 0; kill < KILLS; kill++) {
            ends.send(sink, bytes, kill * (LENGTH / KILLS), (kill + 1) * (LENGTH / KILLS));
            strike(ends, random);
        }
        CompletableFuture<Entry> done = sink.commit(progress -> {});
        strike(ends, random);

        // then
        assertThat(ends.await(done).length()).isEqualTo(LENGTH);
        assertThat(ends.server.file("/f")).isEqualTo(bytes);
        assertThat(ends.posts.blockBytes()).isLessThan(LENGTH + (KILLS + 2) * 1L * MessageCodec.MAX_BLOCK_BYTES);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldArriveWhenTheFrontIsKilledAndTheClientTriesAgain(long seed) {
        // given
        Random random = new Random(seed);
        TwoEnds ends = new TwoEnds(directory, seed, Faults.MANY).start();
        byte[] bytes = TwoEnds.bytes(seed, LENGTH);

        // when
        for (int kill = 0; kill < KILLS; kill++) {
            Sink sink = ends.write("/f");
            byte[] sent = random.nextInt(4) > 0 ? bytes : TwoEnds.bytes(random.nextInt(3), LENGTH);
            ends.send(sink, sent, 0, random.nextInt(LENGTH));
            strike(ends, random);
            if (random.nextBoolean()) {
                sink.force();
                ends.time.advance(Duration.ofMillis(random.nextInt(50)));
            }
            ends.killFront();
            ends.frontBoot += random.nextInt(2);
            ends.time.advance(Duration.ofMillis(random.nextInt(5_000)));
            ends.startFront();
            assertThat(ends.server.has("/f")).isFalse();
        }
        ends.upload("/f", bytes);

        // then
        assertThat(ends.server.file("/f")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldComeWithoutTheClientNoticingWhenAllBehindTheFrontIsKilled(long seed) {
        // given
        Random random = new Random(seed);
        TwoEnds ends = new TwoEnds(directory, seed, Faults.MANY).start();
        byte[] bytes = TwoEnds.bytes(seed, LENGTH);
        ends.server.put("/f", bytes, Instant.EPOCH);
        Source source = ends.await(ends.reading("/f"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        // when
        for (int kill = 0; kill < KILLS; kill++) {
            out.writeBytes(ends.rest(source, random.nextInt(LENGTH / KILLS)));
            strike(ends, random);
        }
        out.writeBytes(ends.rest(source, Integer.MAX_VALUE));

        // then
        assertThat(Arrays.equals(out.toByteArray(), bytes)).isTrue();
        assertThat(ends.posts.blockBytes()).isLessThan(LENGTH + (KILLS + 1) * 1L * MessageCodec.MAX_BLOCK_BYTES);
    }
}
