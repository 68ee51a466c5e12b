package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class StopsAtOnceTest {
    @TempDir
    private Path home;

    @Test
    @Timeout(10)
    void shouldEndWhenItIsToStopWhileSomebodyIsToTypeAPassword() {
        // given
        Path users = home.resolve("users.yaml");
        try (TestEnvironment world = new TestEnvironment(home)) {
            Environment atTerminal = askedBeforeTheAnswer(world);

            // when
            int exit = new Invocation(atTerminal, "user", "add", users.toString(), "alice").run();

            // then
            assertThat(exit).isEqualTo(ExitCodes.INTERRUPTED);
            assertThat(world.err()).containsExactly("longhaul user add: interrupted");
            assertThat(users).doesNotExist();
        }
    }

    /** The process is asked to end when somebody has been asked for a password, who never answers. */
    private static Environment askedBeforeTheAnswer(TestEnvironment world) {
        Environment usual = world.environment();
        return new Environment(
                usual.streams(),
                usual.variables(),
                usual.nanoTime(),
                usual.screen(),
                question -> {
                    world.stop().request();
                    awaitForEver();
                    return Optional.empty();
                },
                usual.stop(),
                usual.threads());
    }

    private static void awaitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new AssertionError("waited for", e);
        }
    }
}
