package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
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

    /** A name server may be away while a machine starts: what starts it tries again after this exit code, and not after 2. */
    @Test
    void shouldSayThatAHostIsUnknownWhenANameHasNoAddress() {
        String host = "x".repeat(64) + ".invalid"; // longer than a label may be: no name server is asked
        String mount = "/=file://" + home;

        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run("bridge", "front", "--listen", host + ":0", "--mount", mount))
                    .isEqualTo(7);
            assertThat(world.err()).singleElement().asString().contains("--listen: unknown host " + host);
        }
        assertThat(refusal(7, "--mount", mount, "--public-address", host))
                .contains("--public-address: unknown host " + host);
    }

    /** Starts one with topics, for whose endpoint there is no broker. */
    private void start(Path data) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            List<String> line = List.of(
                    "bridge front --listen 127.0.0.1:0 --mount /a=e --broker 127.0.0.1:1 --connect-timeout 1s --data"
                            .split(" "));
            assertThat(world.run(Stream.concat(line.stream(), Stream.of(data.toString()))
                            .toArray(String[]::new)))
                    .isEqualTo(3);
        }
    }

    @Test
    void shouldKeepItsDataForItsUserAlone() throws IOException {
        // given
        Path data = home.resolve("front");

        // when
        start(data);

        // then
        for (Path each : List.of(data, data.resolve("topics"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void shouldFollowALinkToItsData() throws IOException {
        // given
        Path disk = Files.createDirectory(home.resolve("disk"));
        Path link = Files.createSymbolicLink(home.resolve("front"), disk);

        // when
        start(link);

        // then
        assertThat(disk.resolve("topics")).isDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "data=file:///tmp, expected /PATH=ENDPOINT",
        "/a=http://h/, expected file:///DIR or ftp://",
        "/a=ftp://user:secret@h/, expected no password in the URL",
        "/a=file://relative, expected file:///DIR",
        "/a=no/endpoint, no/endpoint",
        "/a=file:///none/such, expected a directory",
        "/a, expected /PATH=ENDPOINT",
        "/a=, expected /PATH=ENDPOINT",
        "/../a=e, without '.' and '..'",
        "/a/./b=e, without '.' and '..'",
        "/x=ftp://h:99999/, expected a port from 1 to 65535",
        "/x=ftp://h:0/, expected a port from 1 to 65535"
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

    @ParameterizedTest
    @CsvSource({
        "--passive-ports, 0-0, within 1024-65535",
        "--public-address, '', expected an address or a name",
        "--public-address, 0.0.0.0, expected an address that clients can connect to",
        "--third-party, 10, --third-party: expected ADDRESS",
        "--server-transfers, 0, --server-transfers: expected 1..1000",
        "--server-data-host, h, --server-data-host: expected ADDRESS",
        "--name, '', endpoint name",
        "--topics, /../x, --topics: expected none",
        "--receipt-timeout, 0s, --receipt-timeout: expected at least 1s",
        "--forward-to, h:0, option '--forward-to' (HOST:PORT): expected a port",
        "--also-known-as, h:1=/../x, --also-known-as: expected HOST:PORT",
        "--endpoint, '', endpoint name",
        "--endpoint, ftp://h/, endpoint name"
    })
    void shouldRefuseWhatCannotBeMeant(String option, String value, String expected) {
        assertThat(refusal(2, "--mount", "/m=file://" + home, option, value)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "--user u, --broker URL",
        "--password-file f, --broker URL",
        "--connect-timeout 5s, --broker URL",
        "--quorum one, --broker URL",
        "--receipt-timeout 5s, --broker URL",
        "--reply spooled, an endpoint",
        "--name n, an endpoint",
        "--disk-floor 1GiB, an endpoint",
        "--reply spooled --broker 127.0.0.1:1 --data d, an endpoint",
        "--quorum one --broker 127.0.0.1:1 --topics none, topics: --topics /PATH",
        "--broker 127.0.0.1:1 --topics none, topics or an endpoint"
    })
    void shouldRefuseAnOptionThatNothingUses(String options, String needed) {
        String[] line = ("--mount /m=file://" + home + " " + options).split(" ");

        assertThat(refusal(2, line)).contains(options.split(" ")[0] + " needs " + needed);
    }

    @ParameterizedTest
    @CsvSource({"/a=e, /a=f", "/a=e, //a/=f"})
    void shouldRefuseTwoMountsOfOnePath(String one, String other) {
        assertThat(refusal(2, "--mount", one, "--mount", other)).contains("--mount: expected /a once");
    }

    @Test
    void shouldRefuseTopicsWhereSomethingIsMounted() {
        String data = home.resolve("d").toString();

        assertThat(refusal(2, "--mount", "/a=e", "--topics", "/a/", "--broker", "127.0.0.1:1", "--data", data))
                .contains("--topics /a: --mount has another place for it");
    }
}
