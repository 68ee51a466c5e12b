package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users with logins of their own at the server: a server of one's own for each of them here. */
final class UsersTest {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
    private static final byte[] BYTES = TwoEnds.bytes(1, 3_000_000);
    private static final Principal ANNA = TwoEnds.USER;
    private static final Principal BOB = new Principal("bob", false);

    private final Map<Principal, MemoryBackend> servers = new HashMap<>();
    private String login = "first";
    private int asked;
    private TwoEnds ends;

    @BeforeEach
    void prepare(@TempDir Path directory) {
        ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.backends = new Backends() {
            @Override
            public Backend of(Principal user) {
                asked++;
                MemoryBackend server = servers.get(user);
                if (server == null) {
                    throw new BackendException(Code.NOT_LOGGED_IN, "no login at the server for user " + user.name());
                }
                return server;
            }

            @Override
            public String login(Principal user) {
                return login;
            }
        };
        servers.put(ANNA, new MemoryBackend(ends.time));
        servers.put(BOB, new MemoryBackend(ends.time));
    }

    private MemoryBackend server(Principal user) {
        return servers.get(user);
    }

    @Test
    void shouldGoOnAsTheSameUserWhenTheBackIsStartedAgain() {
        // given
        ends.start();
        ends.user = BOB;
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 1_000_000);

        // when
        ends.killBack();
        ends.startBack();
        ends.send(sink, BYTES, 1_000_000, BYTES.length);
        ends.await(sink.commit(done -> {}));

        // then
        assertThat(server(BOB).file("/f")).isEqualTo(BYTES);
        assertThat(server(ANNA).has("/f")).isFalse();
    }

    @Test
    void shouldArriveAsTheSameUserWhenTheFrontIsStartedAgainAfterItSaidSo() {
        // given
        ends.untilDelivered = false;
        ends.start();
        ends.user = BOB;
        ends.killBack();
        ends.upload("/f", BYTES);

        // when
        ends.killFront();
        ends.startFront();
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(server(BOB).file("/f")).isEqualTo(BYTES);
        assertThat(server(ANNA).has("/f")).isFalse();
    }

    @Test
    void shouldReadWithTheirOwnLoginWhenAnotherUserHasReadTheSameFile() {
        // given
        ends.start();
        server(ANNA).put("/f", BYTES, LONG_AGO);
        server(BOB).put("/f", BYTES, LONG_AGO);
        ends.download("/f");

        // when
        ends.user = BOB;
        byte[] read = ends.download("/f");

        // then
        assertThat(read).isEqualTo(BYTES);
        assertThat(server(BOB).read()).isEqualTo(BYTES.length);
    }

    @Test
    void shouldGetNothingOfAnotherUsersFileWhenTheServerDoesNotShowIt() {
        // given
        ends.start();
        server(ANNA).put("/f", BYTES, LONG_AGO);
        ends.download("/f");

        // when
        ends.user = BOB;

        // then
        TwoEnds.assertFails(Code.NOT_FOUND, () -> ends.await(ends.reading("/f")));
    }

    @Test
    void shouldReadAnewWhenTheUserHasAnotherLoginThanBefore() {
        // given
        ends.start();
        server(ANNA).put("/f", BYTES, LONG_AGO);
        ends.download("/f");
        ends.download("/f");
        assertThat(server(ANNA).read()).isEqualTo(BYTES.length);

        // when
        login = "second";
        ends.download("/f");

        // then
        assertThat(server(ANNA).read()).isEqualTo(2L * BYTES.length);
    }

    @Test
    void shouldFailAtOnceWhenTheServerLetsTheUserNotIn() {
        // given
        ends.start();
        ends.user = new Principal("carol", false);
        Instant before = ends.time.clock().instant();

        // then
        TwoEnds.assertFails(
                Code.NOT_LOGGED_IN, () -> ends.await(ends.writing(WriteRequest.replace(FilePath.of("/f")))));
        TwoEnds.assertFails(Code.NOT_LOGGED_IN, () -> ends.await(ends.reading("/f")));
        assertThat(Duration.between(before, ends.time.clock().instant())).isLessThan(Duration.ofSeconds(2));
        ends.time.advance(Duration.ofMinutes(30));
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void shouldFailAtOnceWhenTheServerRefusesTheLoginWhileTheFileIsSent() {
        // given
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 1_000_000);

        // when
        MemoryBackend gone = servers.remove(ANNA);
        gone.away(true);
        Instant before = ends.time.clock().instant();

        // then
        TwoEnds.assertFails(Code.NOT_LOGGED_IN, () -> {
            ends.send(sink, BYTES, 1_000_000, BYTES.length);
            ends.await(sink.commit(done -> {}));
        });
        assertThat(Duration.between(before, ends.time.clock().instant())).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void shouldArriveWhenTheLoginIsSeenToAndTheClientWasTold() {
        // given
        ends.untilDelivered = false;
        ends.start();
        ends.killBack();
        MemoryBackend server = servers.remove(ANNA);
        ends.upload("/f", BYTES);

        // when
        ends.startBack();
        ends.time.advance(Duration.ofHours(2));

        // then
        assertThat(asked).isBetween(2, 14);

        // when
        servers.put(ANNA, server);
        ends.time.advance(Duration.ofMinutes(11));

        // then
        assertThat(server.file("/f")).isEqualTo(BYTES);
    }
}
