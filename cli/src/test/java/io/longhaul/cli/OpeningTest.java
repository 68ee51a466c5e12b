package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.cli.state.Footprint;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OpeningTest {
    @TempDir
    private Path home;

    private TestEnvironment world;
    private Path data;

    @BeforeEach
    void start() {
        world = new TestEnvironment(home);
        data = home.resolve("made/data");
    }

    @AfterEach
    void stop() {
        world.close();
    }

    /** Makes the directory, and fails. */
    private void assertFails(RuntimeException failure) {
        assertThatThrownBy(() -> Opening.of(
                        () -> {
                            make();
                            throw failure;
                        },
                        "b:1",
                        Footprint.of(data),
                        world.environment()))
                .isSameAs(failure);
    }

    private void make() {
        try {
            Files.createDirectories(data);
            Files.writeString(data.resolve("lock"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"USAGE", "UNREACHABLE", "REFUSED"})
    void shouldLeaveNothingWhenItIsRefusedOrDoesNotReachTheBroker(AgentException.Code code) {
        // when
        assertFails(new AgentException(code, "no"));

        // then
        assertThat(home.resolve("made")).doesNotExist();
    }

    @Test
    void shouldLeaveTheDirectoryWhenSomebodyElseHasIt() {
        // when
        assertFails(new AgentException(
                AgentException.Code.REFUSED, "no", new StorageException(StorageException.Code.IN_USE, "in use by 7")));

        // then
        assertThat(data.resolve("lock")).exists();
    }

    @Test
    void shouldNotWaitForTheBrokerWhenItIsToStop() {
        // given
        CountDownLatch answer = new CountDownLatch(1);
        world.stop().request();

        // when
        assertThatThrownBy(() -> Opening.of(
                        () -> {
                            awaited(answer);
                            return "";
                        },
                        "b:1",
                        Footprint.of(data),
                        world.environment()))
                // then
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.INTERRUPTED))
                .hasMessage("stopped while connecting to b:1");
        answer.countDown();
    }

    private static void awaited(CountDownLatch answer) {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
