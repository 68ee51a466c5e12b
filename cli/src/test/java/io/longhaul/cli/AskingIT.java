package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.control.ControlServer;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that ask the process that has a data directory open, when that one stands still. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AskingIT {
    private static final String ID = "0191f5c2a7e04b1d9c3e5a7b1d2f4c6e";

    @TempDir
    private Path home;

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "resume"})
    void shouldNotWaitForTheAnswerWhenItIsToStop(String command) throws Exception {
        // given
        Path data = home.resolve("data");
        Store.open(data, StoreConfig.defaults(), Disk.real()).close();
        CountDownLatch never = new CountDownLatch(1);
        try (TestEnvironment world = new TestEnvironment(home);
                AutoCloseable still = ControlServer.start(data, Thread::new, (asked, lines) -> {
                    world.stop().request();
                    await(never);
                })) {
            assertThat(still).isNotNull();

            // when
            int exit = world.run(command, ID, "--data", data.toString());

            // then
            assertThat(exit).isEqualTo(ExitCodes.INTERRUPTED);
            assertThat(world.err()).containsExactly("longhaul " + command + ": interrupted");
            never.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
