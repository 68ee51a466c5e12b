package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users who log in at one server as somebody of their own. */
final class ServerLoginsIT {
    private static final FilePath FILE = FilePath.of("/f");
    private static final Principal ALICE = new Principal("alice", false);
    private static final Principal BOB = new Principal("bob", false);
    private static final Principal CAROL = new Principal("carol", false);
    private static final Principal NOBODY = new Principal("anonymous", true);
    private static final Map<String, Credentials> USERS = Map.of(
            "alice", new Credentials("al", "apw"),
            "bob", new Credentials("robert", "bpw"),
            "anonymous", Credentials.anonymous("ftp"));

    private ScriptedServer server;
    private Optional<ServerLogins> logins = Optional.empty();

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedServer();
        server.on("STOR", (client, path) -> {
            client.say("150 ok");
            server.files.put(path, new byte[0]);
            server.files.put(path, client.receive());
            client.say("226 ok");
        });
    }

    @AfterEach
    void close() throws IOException {
        logins.ifPresent(ServerLogins::close);
        server.close();
    }

    private ServerLogins logins(Optional<Credentials> others) {
        ServerLogins opened =
                ServerLogins.open(server.config(), new Logins(USERS, others), "test", System::nanoTime, new Random());
        logins = Optional.of(opened);
        return opened;
    }

    private List<String> said(String verb) {
        return server.commands().stream()
                .filter(line -> line.startsWith(verb + " "))
                .toList();
    }

    private static Sink begin(ServerLogins logins, Principal user) {
        Sink sink = logins.of(user).write(WriteRequest.replace(FILE)).join();
        sink.write(0, Unpooled.wrappedBuffer(new byte[] {1, 2, 3})).join();
        return sink;
    }

    @Test
    void shouldLogInAsTheUsersOwnSelfOnceWhenThereIsMoreToAsk() {
        // given
        ServerLogins logins = logins(Optional.empty());

        // when
        for (Principal user : List.of(ALICE, BOB, NOBODY, ALICE, BOB)) {
            logins.of(user).list(FilePath.ROOT).join();
        }

        // then
        assertThat(said("USER")).containsExactly("USER al", "USER robert", "USER ftp");
        assertThat(said("PASS")).containsExactly("PASS apw", "PASS bpw", "PASS longhaul@");
        assertThat(logins.login(BOB)).isEqualTo("robert");
    }

    @Test
    void shouldSayWhoHasNoLoginWhenThereIsNoneForOthers() {
        ServerLogins logins = logins(Optional.empty());

        assertThatThrownBy(() -> logins.of(CAROL))
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.NOT_LOGGED_IN))
                .hasMessageMatching(".*no login at 127\\.0\\.0\\.1:\\d+ for user carol");
        assertThat(server.commands()).isEmpty();
    }

    @Test
    void shouldLogInAsTheOneForOthersWhenTheUserHasNone() {
        ServerLogins logins = logins(Optional.of(new Credentials("guest", "gpw")));

        logins.of(CAROL).list(FilePath.ROOT).join();

        assertThat(said("USER")).containsExactly("USER guest");
    }

    @Test
    void shouldLetTheOthersFilesAloneWhenAUserListsWhileTheyAreWritten() {
        // given
        ServerLogins logins = logins(Optional.empty());
        Sink sink = begin(logins, ALICE);
        assertThat(server.files).hasSize(1);

        // when
        List<Entry> seen = logins.of(BOB).list(FilePath.ROOT).join();

        // then
        assertThat(seen).isEmpty();
        assertThat(said("DELE")).isEmpty();
        sink.commit(bytes -> {}).join();
        assertThat(server.files).containsOnlyKeys("/f");
    }

    @Test
    void shouldRemoveWhatIsTheUsersOwnWhenItEnds() {
        // given
        ServerLogins logins = logins(Optional.empty());
        begin(logins, ALICE);
        begin(logins, BOB);

        // when
        logins.close();

        // then
        assertThat(said("DELE")).hasSize(2).doesNotHaveDuplicates();
    }
}
