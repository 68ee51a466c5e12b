package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.storage.Disk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data directories that are taken away from under a process. */
final class LostDataIT {
    private static final int PATIENCE_SECONDS = 60;
    private static final String WHY =
            "expected the file lock of this process, found %s; it was removed, moved or replaced while in use";

    @TempDir
    private Path home;

    /** Runs a command until it is ready. */
    private CompletableFuture<Integer> ready(TestEnvironment world, String... arguments) {
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        Thread serving = new Thread(() -> exit.complete(world.run(arguments)));
        serving.setDaemon(true);
        serving.start();
        await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> !world.out().isEmpty() || exit.isDone());
        return exit;
    }

    private CompletableFuture<Integer> subscriber(TestEnvironment world, Broker broker) {
        return ready(
                world,
                "subscribe",
                "t",
                "--name",
                "s",
                "--into",
                home.resolve("in").toString(),
                "--data",
                home.resolve("data").toString(),
                "--broker",
                "127.0.0.1:" + broker.port(),
                "--json");
    }

    private Broker broker() {
        return Broker.launch(BrokerConfig.of("b", home.resolve("b")).withListen("127.0.0.1:0"));
    }

    @Test
    void shouldEndWhenTheDataDirectoryOfAnIdleSubscriberIsRemoved() throws Exception {
        try (Broker broker = broker();
                TestEnvironment world = new TestEnvironment(home)) {
            // given
            CompletableFuture<Integer> exit = subscriber(world, broker);

            // when
            Disk.real().deleteTree(home.resolve("data"));

            // then
            assertThat(exit.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED);
            assertThat(world.err()).last().asString().contains(String.format(WHY, "none"));
            assertThat(home.resolve("data")).doesNotExist();
        }
    }

    @Test
    void shouldEndWhenAnotherDirectoryTakesThePlaceOfTheOneInUse() throws Exception {
        try (Broker broker = broker();
                TestEnvironment world = new TestEnvironment(home)) {
            // given
            CompletableFuture<Integer> exit = subscriber(world, broker);
            Files.createDirectory(home.resolve("other"));
            Files.createFile(home.resolve("other/lock"));

            // when
            Files.move(home.resolve("data"), home.resolve("moved"));
            Files.move(home.resolve("other"), home.resolve("data"));

            // then
            assertThat(exit.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED);
            assertThat(world.err()).last().asString().contains(String.format(WHY, "another one"));
        }
    }

    @Test
    void shouldEndWhenTheDataDirectoryOfABrokerIsMoved() throws Exception {
        try (TestEnvironment world = new TestEnvironment(home)) {
            // given
            CompletableFuture<Integer> exit = ready(
                    world,
                    "broker",
                    "--name",
                    "b",
                    "--data",
                    home.resolve("b").toString(),
                    "--listen",
                    "127.0.0.1:0",
                    "--json");

            // when
            Files.move(home.resolve("b"), home.resolve("moved"));

            // then
            assertThat(exit.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(ExitCodes.FAILED);
            assertThat(world.err()).last().asString().contains(String.format(WHY, "none"));
        }
    }
}
