package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.cli.state.AgentNote;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transfers that are given up, by the command and by the SDK, at either end. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CancelIT {
    private static final int PATIENCE_SECONDS = 60;
    private static final int PIECE = 64 * 1024;

    @TempDir
    private Path home;

    private TestEnvironment world;
    private CompletableFuture<Integer> exit;
    private String broker = "";
    private Agent publisher;
    private PipedOutputStream source;
    private Publication publication;

    /** A transfer that is on its way for as long as its source is not closed. */
    @BeforeEach
    void startBrokerAndSubscribe() throws Exception {
        world = new TestEnvironment(home);
        exit = new CompletableFuture<>();
        Thread serving = new Thread(() -> exit.complete(world.run(
                "broker", "--name", "b", "--data", home.resolve("b").toString(), "--listen", "127.0.0.1:0", "--json")));
        serving.setDaemon(true);
        serving.start();
        await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> !world.out().isEmpty());
        broker = "127.0.0.1:" + world.out().get(0).replaceAll(".*\"port\":([0-9]+).*", "$1");
        try (Agent agent = open("s")) {
            subscribe(agent).close();
        }
        new AgentNote("s", broker, "").write(home.resolve("s")); // as the command subscribe does
        publisher = open("p");
        source = new PipedOutputStream();
        publication = publisher.publish(PublishRequest.of(new PipedInputStream(source), "f", "t")
                .withPieceSize(PIECE)
                .withReceipts(1));
        byte[] content = new byte[PIECE + 1];
        Arrays.fill(content, (byte) 1); // no hole, of which no part file is made
        source.write(content);
    }

    @AfterEach
    void stop() throws Exception {
        source.close();
        publisher.close();
        world.stop().request();
        exit.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        world.close();
    }

    private Agent open(String name) {
        return Agent.open(AgentConfig.of(name, home.resolve(name), broker));
    }

    private Subscription subscribe(Agent agent) {
        return agent.subscribe(SubscribeRequest.of("t", "s", home.resolve("in")), delivered -> {});
    }

    private List<String> run(int code, String... arguments) {
        try (TestEnvironment command = new TestEnvironment(home)) {
            assertThat(command.run(arguments))
                    .as(String.join("\n", command.err()))
                    .isEqualTo(code);
            return code == 0 ? command.out() : command.err();
        }
    }

    private List<String> cancel(int code, String data) {
        return run(
                code,
                "cancel",
                publication.transfer(),
                "--data",
                home.resolve(data).toString());
    }

    private String transfers(String data) {
        return String.join(
                "\n", run(0, "transfers", "--data", home.resolve(data).toString()));
    }

    /** Progress is told of now and then; that it is on its way is in the ledger, and on the disk. */
    private void awaitArrival() {
        await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> transfers("s").contains(publication.transfer()) && Files.exists(parts()));
    }

    private Path parts() {
        return home.resolve("in/.longhaul/" + publication.transfer() + "@s");
    }

    private void assertPublisherHearsOfIt() throws Exception {
        source.close();
        assertThatThrownBy(() -> publication.result().get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .hasMessageContaining("subscription s failed: \"cancelled by its subscriber\"");
        assertThat(home.resolve("in/f")).doesNotExist();
    }

    @Test
    void shouldGiveUpWhatIsComingInWhenItsProcessIsAsked() throws Exception {
        try (Agent subscriber = open("s");
                Subscription subscription = subscribe(subscriber)) {
            // given
            awaitArrival();
            assertThat(parts()).exists();

            // when
            cancel(0, "s");

            // then
            assertThat(transfers("s")).contains(" failed ");
            assertThat(parts()).doesNotExist();
            assertThat(cancel(7, "s")).singleElement().asString().contains("has ended already");
            assertPublisherHearsOfIt();
            assertThat(subscription.progress()).isEmpty();
        }
    }

    @Test
    void shouldGiveUpWhatWasComingInWhenNobodyServesIt() throws Exception {
        // given
        try (Agent subscriber = open("s")) {
            subscribe(subscriber);
            awaitArrival();
        }
        assertThat(parts()).exists();

        // when
        cancel(0, "s");

        // then
        assertThat(transfers("s")).contains(" failed ");
        assertThat(parts()).doesNotExist();
        try (Agent subscriber = open("s");
                Subscription subscription = subscribe(subscriber)) {
            assertPublisherHearsOfIt();
            assertThat(subscription.progress()).isEmpty();
        }
    }

    /** The frame that gives a transfer up goes out before its pieces, of which many are underway. */
    @Test
    void shouldDeliverWhatIsPublishedAfterOneThatWasGivenUpOnTheWay() throws Exception {
        // given
        publisher.cancel(publication.transfer());
        Path large = Files.write(home.resolve("large"), new byte[48 * 1024 * 1024]);
        try (RandomAccessFile content = new RandomAccessFile(large.toFile(), "rw")) {
            for (long at = 0; at < content.length(); at += 4096) {
                content.seek(at);
                content.write(1); // no hole
            }
        }
        try (Agent subscriber = open("s")) {
            subscribe(subscriber);
            PublishRequest request = PublishRequest.of(large, "t").withReceipts(1);
            for (int i = 0; i < 3; i++) {
                Publication first = publisher.publish(request);
                await().pollInterval(1, TimeUnit.MILLISECONDS)
                        .atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .until(() -> first.progress().safeBytes() > 0);

                // when
                cancelUnlessItHasEnded(first);
                Publication second = publisher.publish(request);

                // then
                assertThat(second.result()
                                .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                                .receipts())
                        .hasSize(1);
            }
        }
        assertThat(home.resolve("in/large")).hasSameBinaryContentAs(large);
    }

    private void cancelUnlessItHasEnded(Publication given) {
        try {
            publisher.cancel(given.transfer());
        } catch (AgentException e) {
            assertThat(e).hasMessageContaining("nothing left to cancel");
            assertThat(given.result()).succeedsWithin(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldHaveGivenUpAPublicationWhenItSaysSo() {
        // when
        publisher.cancel(publication.transfer());

        // then
        assertThat(publication.result()).isCompletedExceptionally();
        assertThat(publisher.endOf(publication.transfer())).isPresent();
        assertThatThrownBy(() -> publisher.cancel(publication.transfer()))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("nothing left to cancel");
    }

    @Test
    void shouldRefuseWhatIsNoTransfer() {
        assertThatThrownBy(() -> publisher.cancel("x"))
                .isInstanceOf(AgentException.class)
                .extracting(e -> ((AgentException) e).code())
                .isEqualTo(AgentException.Code.USAGE);
        assertThat(Files.exists(home.resolve("in/f"))).isFalse();
    }
}
