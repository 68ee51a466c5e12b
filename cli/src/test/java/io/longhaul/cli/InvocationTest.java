package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InvocationTest {
    private static final String NOWHERE = "127.0.0.1:1";

    @TempDir
    private Path home;

    private String refusal(int exit, String... arguments) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(arguments)).isEqualTo(exit);
            assertThat(world.out()).isEmpty();
            assertThat(world.err()).hasSize(1);
            return world.err().get(0);
        }
    }

    @Test
    void shouldNameNearestWordWhenCommandOrOptionIsUnknown() {
        // then
        assertThat(refusal(2, "pubilsh"))
                .isEqualTo(
                        "longhaul: unknown command \"pubilsh\"; the nearest is publish" + " (see 'longhaul --help')");
        assertThat(refusal(2, "bridge", "fornt")).contains("unknown command \"fornt\"; the nearest is front");
        assertThat(refusal(2, "publish", "f", "--tpoic", "t"))
                .contains("unknown option \"--tpoic\"; the nearest is --topic");
        assertThat(refusal(2, "broker", "--name", "b", "--data", "d", "--lnik", "h:1"))
                .contains("\"--lnik\"; the nearest is --link");
        assertThat(refusal(2, "publish", "-x")).contains("unknown option \"-x\"");
    }

    @Test
    void shouldNameWhatIsMissingWhenOptionIsRequired() {
        // then
        assertThat(refusal(2)).contains("missing command");
        assertThat(refusal(2, "publish", "f")).contains("--topic=TOPIC");
        assertThat(refusal(2, "publish", "-qv", "f")).contains("--topic=TOPIC");
        assertThat(refusal(2, "publish", "f", "--data", "-d")).contains("--topic=TOPIC");
        assertThat(refusal(2, "publish", "f", "--topic", "t")).contains("missing --broker URL");
        assertThat(refusal(2, "subscribe", "t", "--name", "n", "--broker", NOWHERE))
                .contains("--into=DIR");
        assertThat(refusal(2, "agent", "--name", "n", "--data", "d", "--broker", NOWHERE))
                .contains("nothing to do");
        assertThat(refusal(2, "user")).contains("Missing required subcommand");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "resume"})
    void shouldAskForTheBrokerWhenTheDirectoryDoesNotTellIt(String command, @TempDir Path data) {
        // given
        String id = "0191f5c2a7e04b1d9c3e5a7b1d2f4c6e";
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            TransferRow row = new TransferRow(
                    store.ledger().newKey(),
                    Direction.OUTGOING,
                    id,
                    "t",
                    "",
                    "f",
                    TransferState.SENDING,
                    0,
                    1,
                    "{}",
                    "",
                    "/f",
                    "{}");
            store.ledger().commit(List.of(new LedgerChange.PutTransfer(row))).join();
        }

        // then
        assertThat(refusal(2, command, id, "--data", data.toString()))
                .contains("missing --broker URL: " + data + " does not tell");
    }

    @Test
    void shouldNameExpectedFormWhenValueIsMalformed() {
        // then
        assertThat(refusal(2, "publish", "f", "--topic", "t", "--piece-size", "big"))
                .contains("--piece-size")
                .contains("expected a size like");
        assertThat(refusal(2, "publish", "f", "--topic", "t", "--timeout", "5")).contains("expected a duration like");
        assertThat(refusal(2, "publish", "f", "--topic", "t", "--wait", "all")).contains("expected none or a number");
        assertThat(refusal(2, "broker", "--name", "b", "--data", "d", "--listen", "x"))
                .contains("HOST:PORT");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--streams", "65"))
                .contains("expected auto or a number from 1 to 64");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--packet", "1")).contains(": --packet: ");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--packet", "1MiB", "--window", "256KiB"))
                .contains("--packet: expected 1024 to 262144 bytes, found 1048576");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--seconds", "25h"))
                .contains("--seconds: a test of 90000000 ms, expected 1..86400000 ms");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--bytes", "0")).contains("--bytes: a test of 0 bytes");
        assertThat(refusal(2, "subscribe", "t", "--name", "../x", "--into", "i", "--broker", NOWHERE))
                .contains("subscription name");
        assertThat(refusal(2, "publish", "f", "--topic", "a/b", "--broker", NOWHERE))
                .contains("topic");
        assertThat(refusal(2, "subscribe", "t", "--name", "n", "--into", "i", "--count", "0", "--broker", NOWHERE))
                .contains("--count: expected 1 or more, found 0");
        assertThat(refusal(
                        2,
                        "agent",
                        "--name",
                        "n",
                        "--data",
                        home.resolve("d").toString(),
                        "--archive",
                        "t",
                        "--on-complete-timeout",
                        "0s",
                        "--broker",
                        NOWHERE))
                .contains("--on-complete-timeout");
    }

    @Test
    void shouldTakeNamesLikeOptionsWhenTheyStandBehindTwoDashes() {
        // then
        assertThat(refusal(2, "publish", "--topic", "t", "--broker", NOWHERE, "--", "--config"))
                .contains("no such file or directory: \"--config\"");
    }

    @Test
    void shouldSayWhyInAnObjectWhenLogsAreJson() {
        // then
        assertThat(refusal(2, "transfers", "--log", "json", "--data", "/no/such"))
                .matches(
                        "\\{\"time\":\".*Z\",\"level\":\"ERROR\",\"logger\":\"longhaul\",\"thread\":\".*\",\"message\":\"longhaul"
                                + " transfers: /no/such: no data directory.*\"}");
        assertThat(refusal(2, "transfers", "--log=json", "--debug", "--data", "/no/such"))
                .contains(
                        "\"exception\":\"java.lang.IllegalArgumentException: /no/such: no data directory", "\\n\\tat ");
        assertThat(refusal(2, "transfers", "--log", "xml")).contains("--log", "'xml'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--backup", "--backup-of"})
    void shouldStartNoBrokerAloneWhenItsPartnerIsEmpty(String option) {
        // given
        Path data = home.resolve("hub");

        // then
        assertThat(refusal(
                        2, "broker", "--name", "hub", "--data", data.toString(), "--listen", "127.0.0.1:1", option, ""))
                .contains("backup");
        assertThat(data).doesNotExist();
    }

    @Test
    void shouldRefuseWhenOptionsContradict() throws IOException {
        // given
        String file = Files.writeString(home.resolve("f"), "x").toString();

        // then
        assertThat(refusal(2, "publish", file, file, "--name", "n", "--topic", "t", "--broker", NOWHERE))
                .contains("--name goes with one FILE");
        assertThat(refusal(2, "publish", "-", "--topic", "t", "--broker", NOWHERE))
                .contains("needs --name");
        assertThat(refusal(2, "publish", "/no/such", "--topic", "t", "--broker", NOWHERE))
                .contains("no such file or directory: \"/no/such\"");
        assertThat(refusal(2, "publish", file, "--topic", "t", "--broker", NOWHERE, "--user", "u"))
                .contains("needs a password");
        assertThat(refusal(
                        2,
                        "agent",
                        "--name",
                        "n",
                        "--data",
                        "d",
                        "--broker",
                        NOWHERE,
                        "--subscribe",
                        "t=d",
                        "--archive",
                        "t"))
                .contains("topic t is given twice");
        assertThat(refusal(2, "broker", "--name", "b", "--data", "d", "--tls-cert", "c"))
                .contains("--tls-key");
        assertThat(refusal(2, "broker", "--name", "b", "--data", "d", "--metrics-anywhere"))
                .contains("--metrics HOST:PORT");
        assertThat(refusal(2, "broker", "--name", "b", "--data", "d", "--metrics", "0.0.0.0:0"))
                .contains("metrics 0.0.0.0:0: expected a loopback address", "--metrics-anywhere");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--bytes", "1", "--seconds", "1s"))
                .contains("expected one of them");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--ca", "f")).contains("--tls");
        assertThat(refusal(2, "ptcp-perf", "client", NOWHERE, "--verify-host", "false"))
                .contains("--ca, --cert and --verify-host go with --tls");
        assertThat(refusal(2, "ptcp-perf", "server", "--tls-key", "k")).contains("--tls-cert");
        assertThat(refusal(
                        2, "subscribe", "t", "--name", "n", "--into", "i", "--broker", NOWHERE, "--on-complete", "'"))
                .contains("--on-complete");
    }

    @Test
    void shouldNameFileWhenLedgerIsMissing() {
        // then
        assertThat(refusal(2, "transfers", "--data", home.resolve("none").toString()))
                .contains("no data directory");
        assertThat(refusal(2, "resume", "nonsense", "--data", home.toString())).contains("transfer id");
    }

    @Test
    void shouldListNothingWhenThereIsNoDataDirectory() {
        // given
        try (TestEnvironment world = new TestEnvironment(home)) {
            // then
            assertThat(world.run("transfers")).isZero();
            assertThat(world.run("receipts", "--json")).isZero();
            assertThat(world.out()).isEmpty();
        }
    }

    @Test
    void shouldTakeOptionsFromFileWhenConfigIsGiven() throws IOException {
        // given
        Path config = Files.writeString(home.resolve("c.yaml"), "json: true\n");

        // when
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run("version", "--config", config.toString())).isZero();

            // then
            assertThat(world.out()).singleElement().asString().startsWith("{\"event\":\"version\",\"longhaul\":\"");
        }
    }

    @Test
    void shouldNameNearestKeyWhenConfigHasUnknownOne() throws IOException {
        // given
        String config =
                Files.writeString(home.resolve("c.yaml"), "backlog: 1GiB\n").toString();

        // then
        assertThat(refusal(2, "broker", "--config=" + config))
                .contains("c.yaml: unknown key 'backlog' for longhaul broker; the nearest is 'backlog-limit'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quickstart",
                "broker",
                "agent",
                "publish",
                "subscribe",
                "unsubscribe",
                "transfers",
                "receipts",
                "resume",
                "cancel",
                "user",
                "user add",
                "user passwd",
                "user remove",
                "user list",
                "ptcp-perf",
                "ptcp-perf server",
                "ptcp-perf client",
                "topology",
                "topology plan",
                "topology remove",
                "bridge",
                "bridge front",
                "bridge back",
                "doctor",
                "version"
            })
    void shouldTeachWhenHelpIsAsked(String command) {
        // given
        String[] arguments = (command + " --help").split(" ");

        // when
        try (TestEnvironment world = new TestEnvironment(home)) {
            assertThat(world.run(arguments)).isZero();

            // then
            assertThat(world.out()).anyMatch(line -> line.startsWith("Usage: longhaul " + command));
            assertThat(world.out()).contains("Example:").anyMatch(line -> line.startsWith("  longhaul " + command));
            assertPasteable(world.out());
            assertThat(world.err()).isEmpty();
        }
    }

    private static void assertPasteable(List<String> help) {
        List<String> example = help.stream()
                .skip(help.indexOf("Example:") + 1L)
                .takeWhile(line -> !line.isEmpty())
                .toList();
        for (int i = 0; i < example.size(); i++) {
            boolean continued = i > 0 && example.get(i - 1).endsWith(" \\");
            assertThat(example.get(i)).matches(continued ? "      \\S.*" : "  (longhaul|tar|globus-url-copy) .*");
        }
    }

    @Test
    void shouldRefuseNamingBothWhenTwoSourcesHaveTheSameName() throws IOException {
        // given
        Path one = Files.createDirectories(home.resolve("o1")).resolve("same");
        Path other = Files.createDirectories(home.resolve("o2")).resolve("same");
        Files.writeString(one, "1");
        Files.writeString(other, "2");

        // then
        assertThat(refusal(2, "publish", one.toString(), other.toString(), "--topic", "t", "--broker", NOWHERE))
                .contains(one.toString(), other.toString(), "have the same name at the subscribers, \"same\"");
    }

    @Test
    void shouldRefuseWhenPathIsEmpty() {
        // then
        assertThat(refusal(2, "publish", "", "--topic", "t", "--broker", NOWHERE))
                .contains("FILE|DIR: expected a path, found ''");
        assertThat(refusal(2, "publish", "pom.xml", "--topic", "t", "--broker", NOWHERE, "--data", ""))
                .contains("--data")
                .contains("expected a path, found ''");
        assertThat(refusal(2, "subscribe", "t", "--name", "n", "--into", "", "--broker", NOWHERE))
                .contains("--into")
                .contains("expected a path, found ''");
        assertThat(refusal(2, "topology", "remove", "site", "--password-file", "", "--broker", NOWHERE))
                .contains("--password-file");
    }

    @Test
    void shouldLeaveNoDataDirectoryWhenBrokerUrlIsWrong() throws IOException {
        // given
        Path data = home.resolve("new/data");

        // then
        assertThat(refusal(
                        2,
                        "subscribe",
                        "t",
                        "--name",
                        "n",
                        "--into",
                        home.resolve("in").toString(),
                        "--broker",
                        "127.0.0.1:7400?streams=none",
                        "--data",
                        data.toString()))
                .contains("streams");
        assertThat(home.resolve("new")).doesNotExist();
    }

    @Test
    void shouldSayThatNameIsNotUtf8EvenWhenLedgerIsThere() throws IOException {
        // given
        String data = home.resolve("data").toString();
        Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("data/VERSION"), "1");

        // then
        assertThat(refusal(2, "publish", "/no/bad\uFFFD", "--topic", "t", "--broker", NOWHERE, "--data", data))
                .contains("name is not valid UTF-8: \"/no/bad\\ufffd\"");
    }

    @Test
    void shouldListCommandsWhenHelpIsAsked() {
        // given
        try (TestEnvironment world = new TestEnvironment(home)) {
            // when
            assertThat(world.run("--help")).isZero();
            assertThat(world.run("help", "publish")).isZero();

            // then
            assertThat(world.out())
                    .anyMatch(line -> line.startsWith("  quickstart "))
                    .anyMatch(line -> line.startsWith("Usage: longhaul publish"));
        }
    }
}
