package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.option.ByteSize;
import io.longhaul.cli.option.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that no command can use: one line that names the option and the value, and exit code 2. */
final class OptionErrorsTest {
    private static final String NOWHERE = "127.0.0.1:1";
    private static final String ENDLESS = "/dev/zero";

    @TempDir
    private Path home;

    private String refusal(String... arguments) {
        try (TestEnvironment world = new TestEnvironment(home, "", Map.of("LONGHAUL_PASSWORD", "secret"))) {
            assertThat(world.run(arguments)).as(String.join("\n", world.err())).isEqualTo(2);
            assertThat(world.out()).isEmpty();
            assertThat(world.err()).hasSize(1);
            return world.err().get(0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--third-party, x",
        "--third-party, 192.0.2.0/33",
        "--also-known-as, x",
        "--also-known-as, h:1=x",
        "--passive-ports, 1-2",
        "--auth, ''",
        "--server-data-host, x"
    })
    void shouldNameTheOptionWhenAFrontCannotUseItsValue(String option, String value) {
        assertThat(refusal("bridge", "front", "--listen", "127.0.0.1:0", "--mount", "/=ftp://h/", option, value))
                .contains(option + ": ");
    }

    @Test
    void shouldRefuseToMeasureTheWayToPortZero() {
        assertThat(refusal("ptcp-perf", "client", "127.0.0.1:0"))
                .contains("expected a port from 1 to 65535, found '127.0.0.1:0'");
    }

    @Test
    void shouldRefuseWhatNoReceiptCanHave() {
        assertThat(refusal("receipts", "--transfer", "zz"))
                .contains("transfer id: expected 32 lower-case hexadecimal digits, found \"zz\"");
        assertThat(refusal("receipts", "--topic", "a..b")).contains("topic", "a..b");
        assertThat(refusal("receipts", "--subscription", "a b")).contains("subscription", "a b");
    }

    @Test
    void shouldRefuseAnEmptyConfigurationFileName() {
        assertThat(refusal("version", "--config", "")).contains("--config", "expected a path, found ''");
        assertThat(refusal("version", "--config=")).contains("--config", "expected a path, found ''");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "disk-floor: 1GiX | key 'disk-floor': expected a size like 4096, 64MiB or 1GB, found '1GiX'",
                "disk-floor: -5 | key 'disk-floor': expected a size like 4096, 64MiB or 1GB, found '-5'",
                "fan-out: two | key 'fan-out': expected a whole number",
                "backlog-limit: [1GiB, 2GiB] | key 'backlog-limit': expected a single value, found a list",
                "forward-only: maybe | key 'forward-only': expected true or false, found 'maybe'",
                "users: | key 'users': expected a single value, found none",
                "journal: ssd | key 'journal': expected one of",
                "metrics: 9464 | key 'metrics': expected HOST:PORT",
                "limit-user: {tranfers: 3} | key 'limit-user': ",
                "limit-topic: {a: {rate: fast}} | key 'limit-topic': ",
            })
    void shouldNameFileAndKeyWhenAConfiguredValueIsWrong(String line, String said) throws IOException {
        // given
        Path file = Files.writeString(home.resolve("c.yaml"), "name: n\ndata: d\n" + line + "\n");

        // then
        assertThat(refusal("broker", "--config", file.toString())).contains(file + ": " + said);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: n\ndata: d\nfan-out: -1\n",
                "name: n\ndata: d\nlink: [hub]\n",
                "name: a/b\ndata: d\n",
                "data: d\n"
            })
    void shouldNameTheFileWhenWhatItSaysCannotBe(String yaml) throws IOException {
        // given
        Path file = Files.writeString(home.resolve("c.yaml"), yaml);

        // then
        assertThat(refusal("broker", "--config", file.toString())).contains("configuration " + file);
        assertThat(refusal("broker", "--name", "n", "--data", "d", "--fan-out", "-1"))
                .doesNotContain("configuration");
    }

    @Test
    void shouldNotBlameTheFileForAValueOfTheCommandLine() throws IOException {
        // given
        Path file = Files.writeString(home.resolve("c.yaml"), "name: n\ndata: d\ndisk-floor: 1GiB\n");

        // then
        assertThat(refusal("broker", "--config", file.toString(), "--disk-floor", "1GiX"))
                .doesNotContain(file + ": key")
                .contains("--disk-floor");
    }

    @Test
    void shouldReadNoDeviceToItsEndWhenAFileIsExpected() {
        String most = "expected at most 16777216 bytes, found more";

        assertThat(refusal("version", "--config", ENDLESS)).contains(ENDLESS + ": cannot be read: " + most);
        assertThat(refusal("user", "list", ENDLESS)).contains("users file " + ENDLESS, most);
        assertThat(refusal("bridge", "front", "--listen", "127.0.0.1:0", "--mount", "/=ftp://h/", "--auth", ENDLESS))
                .contains("users file " + ENDLESS, most);
        assertThat(refusal("topology", "--broker", NOWHERE, "--user", "u", "--password-file", ENDLESS))
                .contains(ENDLESS, most);
        assertThat(refusal(
                        "bridge",
                        "back",
                        "--endpoint",
                        "e",
                        "--server",
                        "ftp://h/",
                        "--logins",
                        ENDLESS,
                        "--data",
                        home.resolve("data").toString(),
                        "--broker",
                        NOWHERE))
                .contains("--logins " + ENDLESS, most);
    }

    @ParameterizedTest
    @CsvSource({"--tls-cert, --tls-key", "--tls-key, --tls-cert"})
    void shouldReadNoDeviceToItsEndWhenAPemFileIsExpected(String option, String other) throws IOException {
        Path empty = Files.createFile(home.resolve("empty.pem"));

        assertThat(refusal(
                        "bridge",
                        "front",
                        "--listen",
                        "127.0.0.1:0",
                        "--mount",
                        "/=ftp://h/",
                        option,
                        ENDLESS,
                        other,
                        empty.toString()))
                .contains(ENDLESS + ": expected a PEM file, found something else than a file");
    }

    @Test
    void shouldSayThatThereIsNoDirectoryForAUsersFile() {
        // given
        Path file = home.resolve("none/users.yaml");

        // then
        assertThat(refusal("user", "add", file.toString(), "alice"))
                .endsWith("users file " + file
                        + ": expected a directory to write it in, found none (see 'longhaul user add --help')");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quickstart --dir %s",
                "broker --name b --listen 127.0.0.1:0 --data %s",
                "agent --name a --archive t --broker 127.0.0.1:1 --data %s",
                "publish pom.xml --topic t --broker 127.0.0.1:1 --data %s",
                "subscribe t --name n --into in --broker 127.0.0.1:1 --data %s",
                "subscribe t --name n --into %s --broker 127.0.0.1:1 --data data",
                "agent --name a --subscribe t=%s --broker 127.0.0.1:1 --data data",
                "bridge back --endpoint e --server ftp://h/ --broker 127.0.0.1:1 --data %s",
                "bridge front --endpoint e --listen 127.0.0.1:0 --broker 127.0.0.1:1 --data %s"
            })
    void shouldRefuseWhereThereIsSomethingElseThanADirectory(String command) throws IOException {
        // given
        Path file = Files.writeString(home.resolve("file"), "content");

        // then
        assertThat(refusal(command.formatted("/dev/null").split(" ")))
                .contains(" /dev/null: expected a directory, found something else");
        assertThat(refusal(command.formatted(file.resolve("below")).split(" ")))
                .contains(" " + file.resolve("below") + ": expected a directory, found something else at " + file);
        assertThat(file).hasContent("content");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version --config %s",
                "topology --broker 127.0.0.1:1 --user u --password-file %s",
                "broker --name b --listen 127.0.0.1:0 --data data --users %s",
                "user list %s",
                "user add %s alice"
            })
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // who opens a pipe waits for its other end
    void shouldRefuseAPipeThatNobodyMayWriteTo(String command) throws IOException, InterruptedException {
        // given
        Path pipe = home.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        // then
        assertThat(refusal(command.formatted(pipe).split(" "))).contains(pipe.toString(), "expected a file, found ");
    }

    @ParameterizedTest
    @CsvSource({
        "--window, 1, 262144 to 1073741824 bytes",
        "--window, 2GiB, 262144 to 1073741824 bytes",
        "--packet, 1023, 1024 to 1048576 bytes",
        "--packet, 2MiB, 1024 to 1048576 bytes",
        "--socket-buffer, 2GiB, 0 to 1073741824 bytes"
    })
    void shouldNameTheOptionWhenAMeasurementCannotUseItsSize(String option, String value, String expected) {
        String found =
                "expected " + expected + ", found " + ByteSize.parse(value).bytes();

        assertThat(refusal("ptcp-perf", "client", NOWHERE, option, value)).contains(": " + option + ": " + found);
        assertThat(refusal("ptcp-perf", "server", "--listen", "127.0.0.1:0", option, value))
                .contains(": " + option + ": " + found);
    }

    @Test
    void shouldTakeAnArgumentAsItIsWhenItBeginsWithAnAtSign() throws IOException {
        // given
        Path options = Files.writeString(home.resolve("options"), "--topic t");

        // then
        assertThat(refusal("publish", "@" + options)).contains("--topic=TOPIC");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version --config %s",
                "subscribe t --name n --into %s --broker 127.0.0.1:1 --data data",
                "agent --name a --subscribe t=%s --broker 127.0.0.1:1 --data data",
                "agent --name a --watch %s=t --broker 127.0.0.1:1 --data data",
                "publish pom.xml --name %s --topic t --broker 127.0.0.1:1 --data data",
                "transfers --data %s",
                "quickstart --dir %s"
            })
    void shouldRefuseANameThatIsNotTheOneThatWasMeant(String command) {
        // given
        String lost = home.resolve("caf\uFFFD").toString();

        // then
        assertThat(refusal(command.formatted(lost).split(" "))).contains("UTF-8, found ", "caf\\ufffd");
        assertThat(home).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "publish pom.xml --topic t, '', user",
        "subscribe t --name n --into in, '', user",
        "agent --name a --data data --archive t, '', user",
        "topology, '', user",
        "broker --name b --data data --listen 127.0.0.1:0 --link 127.0.0.1:1, link-, link-user"
    })
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a broker serves
    void shouldRefuseAPasswordThatIsNobodysOrNone(String command, String kind, String user) throws IOException {
        // given
        Path file = Files.writeString(home.resolve("password"), "\n");
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        if (kind.isEmpty()) {
            words.addAll(List.of("--broker", NOWHERE));
        }
        words.addAll(List.of("--" + kind + "password-file", file.toString()));

        // then
        assertThat(refusal(words.toArray(String[]::new)))
                .contains("--" + kind + "password-file " + file + ": expected --" + user + " USER with it, found none");

        // when
        words.addAll(List.of("--" + user, "u"));

        // then
        assertThat(refusal(words.toArray(String[]::new)))
                .contains("--" + kind + "password-file " + file + ": expected the password as its first line");
    }

    @ParameterizedTest
    @CsvSource({
        "publish pom.xml --topic t --broker 127.0.0.1:1 --spool --piece-size 2MiB, '--piece-size: expected at most 1048576'",
        "publish - --name n --topic t --broker 127.0.0.1:1 --piece-size 2MiB, '--piece-size: expected at most 1048576'",
        "publish pom.xml --topic t --broker 127.0.0.1:1 --name ../x, '--name: path: expected a relative path'",
        "publish pom.xml --topic t --broker 127.0.0.1:1 --priority x, '--priority'': expected a whole number'",
        "subscribe t --name n --into in --broker 127.0.0.1:1 --count 99999999999, '--count'': expected a whole number'",
        "agent --name a --data data --broker 127.0.0.1:1 --watch in=t --retain t=1d, '--archive, found none'",
        "agent --name a --data d --broker 127.0.0.1:1 --archive t --retain t=1d --retain t=2d, '--retain t: expected one time'",
        "agent --name a --data d --broker 127.0.0.1:1 --archive t --on-complete x, '--on-complete: expected --subscribe'",
        "agent --name a --data d --broker 127.0.0.1:1 --archive t --scan-interval 5s, '--scan-interval goes with --watch'",
        "agent --name a --data d --broker 127.0.0.1:1 --archive t --existing keep, '--existing goes with --subscribe'",
        "agent --name a --data d --broker 127.0.0.1:1 --subscribe t=in --on-complete-timeout 5s, '--on-complete-timeout goes'",
        "subscribe t --name n --into in --broker 127.0.0.1:1 --on-complete-timeout 5s, '--on-complete-timeout goes with'",
        "publish /dev/null --topic t --broker 127.0.0.1:1, '\"/dev/null\": expected a file or a directory, found something'",
        "ptcp-perf client 127.0.0.1:1 --interval 0s, '--interval: expected more than 0, found 0s'",
        "bridge back --endpoint e --server ftp://h/ --server-tls --server-ca /dev --broker 127.0.0.1:1 --data d, '--server-ca: /dev: '",
        "quickstart /dev/null, '\"/dev/null\": expected a file or a directory, found something else'"
    })
    void shouldNameTheOptionBeforeAnythingIsMade(String command, String expected) {
        assertThat(refusal(command.split(" "))).contains(expected);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void shouldTakeANameWithAReplacementCharacterWhenItIsThere() throws IOException {
        // given
        Path there = Files.createDirectory(home.resolve("caf\uFFFD"));

        // then
        assertThat(FilePath.parse(there.toString())).isEqualTo(there);
    }
}
