package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BridgeBackCommandTest {
    @TempDir
    private Path home;

    private String refusal(int exit, String endpoint, String server, String... more) {
        String[] arguments = new String[more.length + 8];
        String[] begin = {
            "bridge",
            "back",
            "--endpoint",
            endpoint,
            "--server",
            server,
            "--data",
            home.resolve("data").toString()
        };
        System.arraycopy(begin, 0, arguments, 0, begin.length);
        System.arraycopy(more, 0, arguments, begin.length, more.length);
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(arguments)).isEqualTo(exit);
            assertThat(world.out()).isEmpty();
            assertThat(world.err()).hasSize(1);
            return world.err().get(0);
        }
    }

    @Test
    void shouldNameWhatIsExpectedWhenAnOptionIsMalformed() {
        String directory = "file://" + home;

        assertThat(refusal(2, "no/name", directory)).contains("no/name");
        assertThat(refusal(2, "e", "http://h/")).contains("--server: expected file:///DIR or ftp://");
        assertThat(refusal(2, "e", "ftp://bob:secret@h/"))
                .contains("--server: server: expected no password")
                .doesNotContain("secret");
        assertThat(refusal(2, "e", "file:///none/such")).contains("expected a directory");
        assertThat(refusal(2, "e", directory)).contains("missing --broker");
        assertThat(refusal(2, "e", directory, "--server-ca", "ca.pem")).contains("--server-ca needs --server-tls");
        assertThat(refusal(2, "e", directory, "--server-transfers", "0"))
                .contains("--server-transfers: expected 1..1000");
        assertThat(refusal(2, "e", directory, "--subscribe", "t=/../x")).contains("--subscribe: expected TOPIC=/PATH");
        assertThat(refusal(2, "e", directory, "--subscribe", "t")).contains("--subscribe: expected TOPIC=/PATH");
        assertThat(refusal(2, "e", directory, "--subscribe", "t=/a", "--subscribe", "t=/b"))
                .contains("--subscribe: expected t once");
    }

    @Test
    void shouldSayWhatDoesNotGoWithLogins() throws IOException {
        String file = Files.writeString(home.resolve("logins.yaml"), "users: {bob: {password: secret}}")
                .toString();

        assertThat(refusal(2, "e", "file://" + home, "--logins", file)).contains("--logins needs an ftp:// --server");
        assertThat(refusal(2, "e", "ftp://bob@h/", "--logins", file)).contains("expected no USER@ beside --logins");
        assertThat(refusal(2, "e", "ftp://h/", "--logins", file, "--subscribe", "t=/in"))
                .contains("--subscribe needs a login", "expected a default in " + file);
        assertThat(refusal(2, "e", "ftp://h/", "--logins", home + "/none")).contains("no such file");
    }

    @Test
    void shouldLeaveNothingWhenTheBrokerIsNotThere() {
        String broker = "127.0.0.1:1";

        assertThat(refusal(3, "e", "file://" + home, "--broker", broker, "--connect-timeout", "300ms"))
                .contains(broker);
        assertThat(home.resolve("data")).doesNotExist();
    }
}
