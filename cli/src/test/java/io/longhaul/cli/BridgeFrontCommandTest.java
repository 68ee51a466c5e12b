package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BridgeFrontCommandTest {
    @TempDir
    private Path home;

    private String refusal(int exit, String... more) {
        String[] arguments = new String[more.length + 4];
        arguments[0] = "bridge";
        arguments[1] = "front";
        arguments[2] = "--listen";
        arguments[3] = "127.0.0.1:0";
        System.arraycopy(more, 0, arguments, 4, more.length);
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(arguments)).isEqualTo(exit);
            assertThat(world.out()).isEmpty();
            assertThat(world.err()).hasSize(1);
            return world.err().get(0);
        }
    }

    @Test
    void shouldRefuseWhenStrangersCouldReachIt() {
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run("bridge", "front", "--listen", "0.0.0.0:0", "--mount", "/=file://" + home))
                    .isEqualTo(2);
            assertThat(world.err().get(0)).contains("--auth FILE", "--auth anonymous");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "data=file:///tmp, expected /PATH=ENDPOINT",
        "/a=http://h/, expected file:///DIR or ftp://",
        "/a=ftp://user:secret@h/, expected no password in the URL",
        "/a=file://relative, expected file:///DIR",
        "/a=no/endpoint, no/endpoint",
        "/a=file:///none/such, expected a directory"
    })
    void shouldNameWhatIsExpectedWhenAMountIsNone(String mount, String expected) {
        assertThat(refusal(2, "--mount", mount)).contains(expected);
    }

    @Test
    void shouldNameWhatIsExpectedWhenAnOptionIsMalformed() {
        String mount = "/=file://" + home;

        assertThat(refusal(2, "--mount", mount, "--passive-ports", "9-1")).contains("FIRST-LAST");
        assertThat(refusal(2, "--mount", mount, "--third-party", "host")).contains("ADDRESS/BITS");
        assertThat(refusal(2, "--mount", mount, "--require-tls")).contains("--tls-cert");
        assertThat(refusal(2, "--mount", mount, "--tls-cert", "c.pem")).contains("--tls-key");
        assertThat(refusal(2, "--mount", mount, "--auth", home.resolve("none").toString()))
                .contains("users file");
        assertThat(refusal(2)).contains("--mount", "--endpoint");
        assertThat(refusal(2, "--endpoint", "e")).contains("missing --data");
        assertThat(refusal(2, "--endpoint", "e", "--data", home.resolve("d").toString()))
                .contains("missing --broker");
        assertThat(refusal(2, "--endpoint", "e", "--mount", mount)).contains("another place for /");
        assertThat(refusal(2, "--mount", mount, "--server-ca", "ca.pem")).contains("--server-tls");
    }
}
