package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker or an agent refuses, in one line, leaving nothing behind. */
final class RefusalsIT {
    @TempDir
    private Path home;

    private Broker broker(BrokerConfig config) {
        return Broker.launch(config.withListen("127.0.0.1:0"));
    }

    private BrokerConfig config() {
        return BrokerConfig.of("b", home.resolve("b"));
    }

    private static String url(Broker broker) {
        return "127.0.0.1:" + broker.port();
    }

    private List<String> refused(int exit, String... arguments) {
        try (TestEnvironment world = new TestEnvironment(home, "", Map.of("LONGHAUL_PASSWORD", "wrong"))) {
            assertThat(world.run(arguments)).as(String.join("\n", world.err())).isEqualTo(exit);
            return world.err();
        }
    }

    private List<String> publishInVain(String broker) throws IOException {
        Path source = Files.writeString(home.resolve("f"), "content");
        return refused(3, "publish", source.toString(), "--topic", "t", "--broker", broker, "--connect-timeout", "1s");
    }

    private String path(String name) {
        return home.resolve(name).toString();
    }

    /** What is spooled waits for a broker that is away, but not for one that does not let it in. */
    @Test
    void shouldEndSpooledPublicationWhenItsLoginWasNeverGood() throws IOException {
        // given
        try (TestEnvironment world = new TestEnvironment(home, "right\n", Map.of())) {
            world.run("user", "add", path("users"), "alice", "--publish", "#");
        }
        Path source = Files.writeString(home.resolve("f"), "content");
        try (Broker broker = broker(config().withUsers(home.resolve("users")))) {
            // when
            List<String> said = refused(
                    7,
                    "publish",
                    source.toString(),
                    "--spool",
                    "--topic",
                    "t",
                    "--broker",
                    url(broker),
                    "--user",
                    "alice",
                    "--data",
                    path("p"),
                    "--timeout",
                    "60s");

            // then
            assertThat(said).anyMatch(line -> line.contains("login refused"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tcp://"})
    void shouldSayThatTheHostOfTheBrokerIsUnknown(String scheme) throws IOException {
        // given
        String host = "x".repeat(64) + ".invalid"; // longer than a label may be: no name server is asked

        // when
        List<String> said = publishInVain(scheme + host + ":7400");

        // then
        assertThat(said).singleElement().asString().contains("broker " + host, "cannot connect: unknown host " + host);
    }

    @Test
    void shouldSayWhatIsExpectedWhenPlainTcpFindsNoBroker() throws IOException {
        // when
        List<String> said = publishInVain("tcp://127.0.0.1:1?tls=true");

        // then
        assertThat(said)
                .singleElement()
                .asString()
                .contains("expected a broker's port for plain clients (--listen-core) with TLS");
    }

    @Test
    void shouldLeaveNothingOfABrokerWhoseOptionsAreWrong() {
        // when
        List<String> said = refused(
                2,
                "broker",
                "--name",
                "b",
                "--data",
                path("deep/b"),
                "--listen",
                "127.0.0.1:0",
                "--users",
                path("none"));

        // then
        assertThat(said).anyMatch(line -> line.contains("users file " + path("none") + ": expected a file"));
        assertThat(home.resolve("deep")).doesNotExist();
    }

    @Test
    void shouldRefuseToUnsubscribeWhenThereIsNoSuchSubscription() {
        // given
        try (Broker broker = broker(config())) {
            // when
            List<String> said = refused(7, "unsubscribe", "t", "--name", "nobody", "--broker", url(broker));

            // then
            assertThat(said).singleElement().asString().contains("topic t has no subscription nobody");
            assertThat(home.resolve("longhaul")).doesNotExist();
        }
    }

    @Test
    void shouldRefuseToUnsubscribeWhileServed() {
        // given
        try (Broker broker = broker(config());
                Agent agent = Agent.open(AgentConfig.of("a", home.resolve("a"), url(broker)))) {
            agent.subscribe(SubscribeRequest.of("t", "s", home.resolve("in")), delivered -> {});

            // then
            assertThatThrownBy(() -> agent.unsubscribe("t", "s"))
                    .isInstanceOfSatisfying(
                            AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.REFUSED))
                    .hasMessage("subscription s of topic t is served: stop who serves it first");
        }
    }

    @Test
    void shouldRefuseToDeliverOverItsOwnDataDirectory() {
        // given
        try (Broker broker = broker(config())) {
            // when
            List<String> said = refused(
                    2,
                    "subscribe",
                    "t",
                    "--name",
                    "s",
                    "--into",
                    path("s"),
                    "--data",
                    path("s/data"),
                    "--broker",
                    url(broker));

            // then
            assertThat(said).anyMatch(line -> line.contains("whose files delivered ones could replace"));
            assertThat(home.resolve("s")).doesNotExist();
        }
    }
}
