package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is told of servers that are away, or will not, to who may ask again. */
final class AwayServersIT extends OneServer {
    private final AtomicLong later = new AtomicLong();

    @Override
    GridFtpBackend backend(ClientConfig config) {
        return GridFtpBackend.open(config, "test", () -> System.nanoTime() + later.get(), new Random());
    }

    @Test
    void shouldTellWhetherTheServerWasAskedWhenItCannotBeDone() throws IOException {
        // given
        server.on("MKD", (client, path) -> client.leave());

        // then
        assertThat(backend.makeDirectory(FILE)
                        .handle((done, failure) -> isUntried(failure))
                        .join())
                .isFalse();

        // when
        server.close();

        // then
        assertThat(backend.makeDirectory(FILE)
                        .handle((done, failure) -> isUntried(failure))
                        .join())
                .isTrue();
    }

    @Test
    void shouldTellWhetherTheServerIsAwayWhenItCannotBeAsked() throws IOException {
        // given
        server.once("MLST", (client, path) -> client.say("450 Try again."));
        server.once("USER", (client, path) -> client.say("421 Going down."));

        // then
        assertThat(isAway(backend.stat(FILE))).isTrue();
        assertThat(isAway(backend.stat(FILE))).isFalse();

        // when
        server.on("MLST", (client, path) -> client.leave());

        // then
        assertThat(isAway(backend.stat(FILE))).isTrue();

        // when
        server.close();

        // then
        assertThat(isAway(backend.stat(FILE))).isTrue();
        assertThat(isAway(backend.makeDirectory(FILE))).isTrue();
    }

    @Test
    void shouldAskForAListingOnceMoreWhenTheServerSaysThatItGotNoConnection() {
        // given
        String refusal = "425 Unable to build data connection: Operation not permitted";
        server.files.put("/f", new byte[1]);
        server.once("MLSD", (client, path) -> client.say(refusal));

        // then
        assertThat(backend.list(FilePath.ROOT).join()).extracting(Entry::name).containsExactly("f");

        // when
        server.say("MLSD", refusal);

        // then
        assertThat(code(backend.list(FilePath.ROOT))).isEqualTo(Code.UNAVAILABLE);
    }

    @Test
    void shouldNotRepeatARefusedLoginWhenItIsWantedAgainWithinAMinute() {
        // given
        server.files.put("/f", new byte[1]);
        server.once("PASS", (client, path) -> client.say("530 Login incorrect."));

        // when
        List<Code> codes =
                Stream.generate(() -> code(backend.stat(FILE))).limit(3).toList();

        // then
        assertThat(codes).containsOnly(Code.NOT_LOGGED_IN);
        assertThat(logins()).isEqualTo(1);

        // when
        later.set(Duration.ofSeconds(61).toNanos());

        // then
        assertThat(backend.stat(FILE).join().length()).isEqualTo(1);
        assertThat(logins()).isEqualTo(2);
    }

    @Test
    void shouldTryALoginOnceWhenManyWantItAtATime() {
        // given
        CountDownLatch allAsked = new CountDownLatch(1);
        server.on("PASS", (client, path) -> {
            await(allAsked);
            client.say("530 Login incorrect.");
        });

        // when
        List<CompletableFuture<Entry>> asked =
                Stream.generate(() -> backend.stat(FILE)).limit(8).toList();
        allAsked.countDown();

        // then
        assertThat(asked).extracting(AwayServersIT::code).containsOnly(Code.NOT_LOGGED_IN);
        assertThat(logins()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long logins() {
        return server.commands().stream()
                .filter(line -> line.startsWith("PASS"))
                .count();
    }

    private static Code code(CompletableFuture<?> asked) {
        return asked.handle((done, failure) -> failure instanceof BackendException known ? known.code() : Code.FAILED)
                .join();
    }

    private static boolean isAway(CompletableFuture<?> asked) {
        return asked.handle((done, failure) -> failure instanceof BackendException known && known.isAway())
                .join();
    }

    private static boolean isUntried(Throwable failure) {
        return failure instanceof BackendException known && known.isUntried();
    }
}
