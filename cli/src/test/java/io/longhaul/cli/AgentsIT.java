package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Delivered;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents of the SDK and commands that look at what they left, with a broker of this process. */
final class AgentsIT {
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    private Path home;

    private TestEnvironment world;
    private CompletableFuture<Integer> exit;
    private String broker = "";

    @BeforeEach
    void startBroker() {
        world = new TestEnvironment(home);
        exit = new CompletableFuture<>();
        Thread serving = new Thread(() -> exit.complete(world.run(
                "broker", "--name", "b", "--data", home.resolve("b").toString(), "--listen", "127.0.0.1:0", "--json")));
        serving.setDaemon(true);
        serving.start();
        await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> !world.out().isEmpty());
        broker = "127.0.0.1:" + world.out().get(0).replaceAll(".*\"port\":([0-9]+).*", "$1");
    }

    @AfterEach
    void stopBroker() {
        world.stop().request();
        exit.join();
        world.close();
    }

    private Agent open(String name) {
        return Agent.open(AgentConfig.of(name, home.resolve(name), broker));
    }

    private SubscribeRequest request() {
        return SubscribeRequest.of("t", "s", home.resolve("in"));
    }

    /** Closes an agent when something is delivered, and tells how long that has taken. */
    private SubscriptionListener listener(CompletableFuture<Agent> closed, CompletableFuture<Duration> ended) {
        return new SubscriptionListener() {
            @Override
            public void ended(Delivered delivered) {
                long beforeNs = System.nanoTime();
                closed.join().close();
                ended.complete(Duration.ofNanos(System.nanoTime() - beforeNs));
            }
        };
    }

    @Test
    void shouldRecordTheEndWhenItsListenerClosesTheAgent() throws Exception {
        // given
        CompletableFuture<Duration> ended = new CompletableFuture<>();
        CompletableFuture<Agent> closing = new CompletableFuture<>();
        Agent subscriber = open("a");
        subscriber.subscribe(request(), listener(closing, ended));
        closing.complete(subscriber);
        Path file = Files.writeString(home.resolve("f"), "content");

        // when
        try (Agent publisher = open("p")) {
            publisher.publish(PublishRequest.of(file, "t")).result().get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            // then
            assertThat(ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("time to close, which waits 10 s for another thread's listener")
                    .isLessThan(Duration.ofSeconds(10));
        }
        await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> transfers().contains(" receipted "));
    }

    /** Lists from the disk once nobody has the directory open. */
    private String transfers() {
        try (TestEnvironment listing = new TestEnvironment(home)) {
            listing.run("transfers", "--data", home.resolve("a").toString());
            return String.join("\n", listing.out());
        }
    }

    @Test
    void shouldRefuseASecondSubscriptionOfTheSameNameWhileTheFirstIsServed() {
        // given
        CompletableFuture<Duration> ended = new CompletableFuture<>();
        try (Agent agent = open("a")) {
            var first = agent.subscribe(request(), listener(new CompletableFuture<>(), ended));

            // then
            assertThatThrownBy(() -> agent.subscribe(request(), listener(new CompletableFuture<>(), ended)))
                    .isInstanceOf(AgentException.class)
                    .extracting(e -> ((AgentException) e).code())
                    .isEqualTo(AgentException.Code.REFUSED);
            first.close();
            agent.subscribe(request(), listener(new CompletableFuture<>(), ended))
                    .close();
        }
    }

    /** Puts into the ledger of agent a what a killed one leaves there of a transfer that is coming in. */
    private void leaveUnfinished() {
        try (Store store = openStore()) {
            TransferRow row = new TransferRow(
                    store.ledger().newKey(),
                    Direction.INCOMING,
                    "0191f5c2a7e04b1d9c3e5a7b1d2f4c6e",
                    "t",
                    "s",
                    "",
                    TransferState.RECEIVING,
                    0,
                    System.currentTimeMillis(),
                    "",
                    "",
                    "",
                    "{\"into\":\"" + home.resolve("in")
                            + "\",\"counters\":{\"duplicatePieces\":0,\"duplicateBytes\":0,\"repairedBytes\":0},"
                            + "\"seconds\":{\"receive\":0,\"verify\":0,\"place\":0},\"receiptDue\":false,\"reason\":\"\"}");
            store.ledger()
                    .commit(List.of(
                            new LedgerChange.PutTransfer(row),
                            new LedgerChange.PutSetting("catch-up.t/s", "PT1H before 2026-01-01T00:00:00Z")))
                    .join();
        }
    }

    private Store openStore() {
        return Store.open(home.resolve("a"), StoreConfig.defaults(), Disk.real());
    }

    @Test
    void shouldForgetWhatIsUnfinishedWithARemovedSubscriptionAndKeepItWithAWithdrawnOne() {
        // given
        try (Agent agent = open("a")) {
            agent.subscribe(request(), delivered -> {}).close();
        }
        leaveUnfinished();

        // when, then
        try (Agent agent = open("a")) {
            agent.withdraw("t", "s");
        }
        try (Store store = openStore()) {
            assertThat(store.ledger().transfers(Direction.INCOMING)).hasSize(1);
            assertThat(store.ledger().settings("catch-up.")).hasSize(1);
        }

        // when, then
        try (Agent agent = open("a")) {
            agent.subscribe(request(), delivered -> {}).close();
            agent.unsubscribe("t", "s");
        }
        try (Store store = openStore()) {
            assertThat(store.ledger().transfers(Direction.INCOMING)).isEmpty();
            assertThat(store.ledger().settings("catch-up.")).isEmpty();
        }
    }

    private List<String> run(int code, String... arguments) {
        try (TestEnvironment command = new TestEnvironment(home)) {
            assertThat(command.run(arguments))
                    .as(String.join("\n", command.err()))
                    .isEqualTo(code);
            return code == ExitCodes.REFUSED ? command.err() : command.out();
        }
    }

    @Test
    void shouldTellOfAnInterruptAndLeaveTheThreadInterrupted() throws Exception {
        // given
        Files.writeString(home.resolve("f"), "content");
        try (Agent agent = open("a")) {
            agent.subscribe(request(), delivered -> {}).close();
            List<ThrowingCallable> calls = List.of(
                    () -> agent.subscribe(request(), delivered -> {}),
                    () -> agent.subscriptions("t"),
                    () -> agent.unsubscribe("t", "s"),
                    () -> open("b"));
            for (ThrowingCallable call : calls) {
                Thread.currentThread().interrupt();

                // when, then
                assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                AgentException.class,
                                e -> assertThat(e.code()).isEqualTo(AgentException.Code.INTERRUPTED));
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(agent.subscriptions("t")).containsExactly("s");
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    private List<String> verified(int code) {
        return run(code, "transfers", "--data", home.resolve("a").toString(), "--verify");
    }

    @Test
    void shouldFindAFlippedByteInADeliveredTree() throws Exception {
        // given
        Files.createDirectories(home.resolve("tree/sub"));
        Files.writeString(home.resolve("tree/sub/small"), "small");
        Files.write(home.resolve("tree/large"), new byte[2_500_000]);
        try (Agent subscriber = open("a");
                Agent publisher = open("p")) {
            subscriber.subscribe(request(), delivered -> {});
            publisher
                    .publish(PublishRequest.of(home.resolve("tree"), "t").withReceipts(1))
                    .result()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            // then
            assertThat(verified(ExitCodes.OK)).singleElement().asString().endsWith("; verified");
        }

        // and
        Files.writeString(home.resolve("in/tree/sub/small"), "smAll");
        assertThat(verified(ExitCodes.VERIFICATION)).singleElement().asString().endsWith("; NOT what was delivered");
    }

    /** Spools as an agent that may use little of its disk, which waits for a while for more before it gives up. */
    private CompletableFuture<String> spool(String agent, String option, String size) {
        String source = home.resolve("f").toString();
        String data = home.resolve(agent).toString();
        return CompletableFuture.supplyAsync(() -> String.join(
                "\n",
                run(
                        ExitCodes.REFUSED,
                        "publish",
                        source,
                        "--topic",
                        "t",
                        "--broker",
                        broker,
                        "--data",
                        data,
                        "--spool",
                        option,
                        size)));
    }

    @Test
    void shouldRefuseToSpoolWhenFloorOrQuotaWouldBePassed() throws Exception {
        // given
        Files.writeString(home.resolve("f"), "not only zeros");
        try (Agent subscriber = open("a")) {
            subscriber.subscribe(request(), delivered -> {});

            // when
            CompletableFuture<String> floor = spool("p1", "--disk-floor", "1000000TiB");
            CompletableFuture<String> quota = spool("p2", "--spool-quota", "4KiB");

            // then
            assertThat(floor.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .contains("above the floor of 1099511627776000000 bytes");
            assertThat(quota.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("of the quota of 4096 bytes");
        }
    }
}
