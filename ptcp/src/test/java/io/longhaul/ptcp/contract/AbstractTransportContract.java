package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a transport promises to who writes and reads, however it does it. */
abstract class AbstractTransportContract {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int MIB = 1024 * 1024;
    static final long SEED = Long.getLong("longhaul.seed", 20_261_121L);

    /** Seeds of the bytes that each end sends. */
    static final long OPENERS = SEED;

    static final long ACCEPTORS = SEED + 1;

    /** Both ends of a connection. */
    record Ends(ByteStream opener, ByteStream acceptor) {}

    /** Makes a connection whose ends expect the streams of the seeds above. */
    abstract Ends connect() throws Exception;

    abstract void disconnect() throws Exception;

    @AfterEach
    void close() throws Exception {
        disconnect();
    }

    /** Writes so many bytes in chunks of random length, as fast as the stream takes them. */
    static void send(ByteStream to, long seed, long length, int mostChunk) {
        RandomBytes bytes = new RandomBytes(seed);
        SplittableRandom lengths = new SplittableRandom(seed + 17);
        long left = length;
        while (left > 0) {
            awaitWritable(to);
            int chunk = (int) Math.min(left, 1 + lengths.nextInt(mostChunk));
            to.write(Unpooled.wrappedBuffer(bytes.next(chunk)));
            left -= chunk;
        }
    }

    /** Looks first: a wait costs a thread, and tiny chunks are many. */
    private static void awaitWritable(ByteStream to) {
        if (!to.isWritable()) {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(PATIENCE)
                    .until(to::isWritable);
        }
    }

    static void awaitExactly(ByteStream end, long length) {
        Awaitility.await().atMost(PATIENCE).until(() -> end.received().count() >= length);
        assertThat(end.received().difference()).isNull();
        assertThat(end.received().count()).isEqualTo(length);
    }

    @Test
    void shouldGiveTheSameBytesWhenChunksAreOfAnyLength() throws Exception {
        // given
        Ends ends = connect();

        // when
        send(ends.opener(), OPENERS, 20 * MIB, 300_000);

        // then
        awaitExactly(ends.acceptor(), 20 * MIB);
    }

    @Test
    void shouldGiveTheSameBytesWhenChunksAreTiny() throws Exception {
        // given
        Ends ends = connect();

        // when
        send(ends.acceptor(), ACCEPTORS, 300_000, 40);

        // then
        awaitExactly(ends.opener(), 300_000);
    }

    @Test
    void shouldGiveTheSameBytesWhenBothEndsSendAtOnce() throws Exception {
        // given
        Ends ends = connect();

        // when
        Thread other = new Thread(() -> send(ends.acceptor(), ACCEPTORS, 20 * MIB, 2 * MIB), "test-acceptor");
        other.start();
        send(ends.opener(), OPENERS, 20 * MIB, 2 * MIB);
        other.join();

        // then
        awaitExactly(ends.acceptor(), 20 * MIB);
        awaitExactly(ends.opener(), 20 * MIB);
    }

    @Test
    void shouldHoldTheWriterUpWhenTheReaderStops() throws Exception {
        // given
        Ends ends = connect();
        ends.acceptor().setReading(false);

        // when
        RandomBytes bytes = new RandomBytes(OPENERS);
        long written = 0;
        for (int i = 0; i < 2000 && ends.opener().isWritable(); i++) {
            ends.opener().write(Unpooled.wrappedBuffer(bytes.next(MIB / 4)));
            written += MIB / 4;
            Awaitility.await().pollDelay(Duration.ofMillis(1)).until(() -> true);
        }

        // then
        assertThat(ends.opener().isWritable()).isFalse();
        ends.acceptor().setReading(true);
        awaitExactly(ends.acceptor(), written);
        Awaitility.await().atMost(PATIENCE).until(ends.opener()::isWritable);
    }

    @Test
    void shouldGiveEverythingWhenTheWriterClosesAtOnce() throws Exception {
        // given
        Ends ends = connect();

        // when
        send(ends.opener(), OPENERS, 3 * MIB, MIB);
        ends.opener().close();

        // then
        assertThat(ends.acceptor().received().closed().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        awaitExactly(ends.acceptor(), 3 * MIB);
        assertThat(ends.opener().received().closed().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }
}
