package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerTargetTest {
    private final ManualTime time = new ManualTime();
    private final ExecutorService carriers = Executors.newSingleThreadExecutor();
    private final AtomicInteger outages = new AtomicInteger();
    private final Queue<Throwable> troubles = new ConcurrentLinkedQueue<>();
    private final List<String> notices = new ArrayList<>();

    @TempDir
    private Path home;

    private Path root = Path.of("");
    private ServerTarget target;

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(home.resolve("server"));
        Backend files = DirectoryBackend.open(root, 1, System::nanoTime, new SplittableRandom(1));
        Backend server = (Backend) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write") && outages.getAndDecrement() > 0) {
                        return CompletableFuture.failedFuture(
                                new BackendException(Code.UNAVAILABLE, "Connection refused"));
                    }
                    Throwable trouble = method.getName().equals("write") ? troubles.poll() : null;
                    if (trouble != null) {
                        throw trouble;
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        target = new ServerTarget(server, FilePath.of("/in/here"), notices::add, carriers, time, () -> {
            carriers.shutdownNow();
            files.close();
        });
    }

    @AfterEach
    void close() {
        target.close();
    }

    private Path file(String name, String text) throws IOException {
        Path file = home.resolve("into").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void shouldStoreFilesAndTreesInTheServersDirectory() throws IOException {
        // given
        Path file = file("a/b/f", "rain");
        file("tree/x/y", "snow");
        file("tree/z", "");

        // when
        target.deliver(file, "a/b/f").join();
        target.deliver(home.resolve("into/tree"), "tree").join();

        // then
        assertThat(root.resolve("in/here/a/b/f")).hasContent("rain");
        assertThat(root.resolve("in/here/tree/x/y")).hasContent("snow");
        assertThat(root.resolve("in/here/tree/z")).isEmptyFile();
        assertThat(file).exists();

        // when
        target.recorded(file, "a/b/f");
        target.recorded(home.resolve("into/tree"), "tree");

        // then
        assertThat(file).doesNotExist();
        assertThat(home.resolve("into/tree")).doesNotExist();
    }

    @Test
    void shouldWaitWhenTheServerIsDown() throws IOException {
        // given
        outages.set(3);

        // when
        CompletableFuture<Void> there = target.deliver(file("f", "rain"), "f");

        // then
        time.passUntil(Duration.ofSeconds(1), there::isDone);
        there.join();
        assertThat(root.resolve("in/here/f")).hasContent("rain");
        assertThat(notices).hasSize(3).first().asString().contains("f waits for the server: Connection refused");
    }

    @Test
    void shouldWaitLongWhenTheServerRefusesTheLogin() throws IOException {
        // given
        troubles.add(new BackendException(Code.NOT_LOGGED_IN, "530 Login incorrect"));

        // when
        CompletableFuture<Void> there = target.deliver(file("f", "rain"), "f");
        Patience.await().until(() -> !notices.isEmpty());
        time.pass(Duration.ofMinutes(9));

        // then
        assertThat(there).isNotDone();
        assertThat(root.resolve("in/here/f")).doesNotExist();
        time.passUntil(Duration.ofMinutes(10), there::isDone);
        there.join();
        assertThat(root.resolve("in/here/f")).hasContent("rain");
        assertThat(notices).hasSize(1).first().asString().contains("f waits for the server: 530 Login incorrect");
    }

    @Test
    void shouldGiveUpWhenTheServerHasSomethingElseEachTime() throws IOException {
        // given
        for (int i = 0; i < 7; i++) {
            troubles.add(BackendException.different("/in/here/f: sent 1, but the server has 2"));
        }
        troubles.add(new BackendException(Code.UNAVAILABLE, "425 Can't open data connection"));
        CompletableFuture<Void> once = target.deliver(file("f", "rain"), "f");

        // then
        time.passUntil(Duration.ofMinutes(1), once::isDone);
        once.join();
        assertThat(notices).hasSize(8);

        // when
        for (int i = 0; i < 8; i++) {
            troubles.add(BackendException.different("/in/here/g: sent 1, but the server has 2"));
        }
        CompletableFuture<Void> never = target.deliver(file("g", "snow"), "g");

        // then
        time.passUntil(Duration.ofMinutes(1), never::isDone);
        assertThatThrownBy(never::join)
                .hasCauseInstanceOf(AgentException.class)
                .hasMessageContaining("sent 1, but the server has 2, 8 times");
        assertThat(root.resolve("in/here/g")).doesNotExist();
    }

    @Test
    void shouldTryAgainWhenThisMachineIsInTrouble() throws IOException {
        // given
        troubles.add(new OutOfMemoryError("direct buffers"));
        troubles.add(new UncheckedIOException(new IOException("Too many open files")));
        troubles.add(new CompletionException(new IllegalStateException("no place in a queue")));

        // when
        CompletableFuture<Void> there = target.deliver(file("f", "rain"), "f");

        // then
        time.passUntil(Duration.ofSeconds(1), there::isDone);
        there.join();
        assertThat(root.resolve("in/here/f")).hasContent("rain");
        assertThat(notices).hasSize(3).first().asString().contains("direct buffers");
    }

    @Test
    void shouldGiveUpWhenItsFileHasGone() {
        assertThatThrownBy(() -> target.deliver(home.resolve("into/f"), "f").join())
                .hasCauseInstanceOf(AgentException.class)
                .hasMessageContaining("into/f has gone");
    }

    @Test
    void shouldSayWhyWhenTheServerNeverTakesIt() throws IOException {
        // given
        Path file = file("f", "rain");
        Files.createDirectories(root.resolve("in/here/f/in-its-place"));

        // then
        assertThatThrownBy(() -> target.deliver(file, "f").join())
                .hasCauseInstanceOf(AgentException.class)
                .hasMessageContaining("/in/here/f: Is a directory");
    }
}
