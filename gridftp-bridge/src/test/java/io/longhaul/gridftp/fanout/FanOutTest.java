package io.longhaul.gridftp.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Copies;
import io.longhaul.gridftp.spi.Copy;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FanOutTest {
    @TempDir
    private Path root;

    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private final List<LongConsumer> committing = new ArrayList<>();
    private Backend own = stuck();
    private Backend other = stuck();

    @BeforeEach
    void open() throws IOException {
        Files.createDirectory(root.resolve("own"));
        Files.createDirectory(root.resolve("other"));
        Files.createDirectory(root.resolve("own/b"));
        own = directory("own");
        other = directory("other");
    }

    private Backend directory(String name) {
        return DirectoryBackend.open(root.resolve(name), 1, System::nanoTime, new SplittableRandom(1));
    }

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    /** What takes nothing and never answers. */
    private final class StuckSink implements Sink {
        @Override
        public void left() {
            left.incrementAndGet();
        }

        @Override
        public CompletableFuture<Void> write(long position, ByteBuf bytes) {
            bytes.release();
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> force() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Entry> commit(LongConsumer progress) {
            committing.add(progress);
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> suspend() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> abort() {
            aborted.incrementAndGet();
            return new CompletableFuture<>();
        }
    }

    private Backend stuck() {
        return (Backend) Proxy.newProxyInstance(
                FanOutTest.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> CompletableFuture.completedFuture(new StuckSink()));
    }

    private static Copy at(String host, String path) {
        return new Copy(
                "ftp://" + host + path, Optional.of(new Copy.Server(host, 21, Optional.empty())), FilePath.of(path));
    }

    private static Copy here(String path) {
        return new Copy("ftp://here" + path, Optional.empty(), FilePath.of(path));
    }

    private FanOut fanOut(Patience patience) {
        Map<String, Backend> servers = Map.of("other", other, "stuck", stuck());
        return new FanOut(
                user -> own,
                Map.of("alias:21", FilePath.of("/b")),
                server -> {
                    if (server.host().equals("broken")) {
                        throw new IllegalArgumentException("broken server");
                    }
                    return Optional.ofNullable(servers.get(server.host())).map(backend -> backend::write);
                },
                patience);
    }

    private CompletableFuture<Sink> open(Kind kind, boolean isLocal, Copy... copies) {
        return open(Patience.of(Duration.ofSeconds(60)), kind, isLocal, copies);
    }

    private CompletableFuture<Sink> open(Patience patience, Kind kind, boolean isLocal, Copy... copies) {
        List<ByteRange> present = kind == Kind.RESUME ? List.of(new ByteRange(0, 2)) : List.of();
        WriteRequest request = new WriteRequest(FilePath.of("/f"), kind, 0, present, Optional.empty());
        return fanOut(patience).write(own, request, new Copies(List.of(copies), isLocal));
    }

    private static Sink filled(Sink sink) {
        sink.write(3, Unpooled.copiedBuffer("lo", StandardCharsets.UTF_8)).join();
        sink.write(0, Unpooled.copiedBuffer("hel", StandardCharsets.UTF_8)).join();
        return sink;
    }

    private void assertHello(String... files) throws IOException {
        for (String file : files) {
            assertThat(Files.readString(root.resolve(file))).as(file).isEqualTo("hello");
        }
    }

    private static BackendException failure(CompletableFuture<?> future) {
        return (BackendException)
                catchThrowableOfType(CompletionException.class, future::join).getCause();
    }

    @Test
    void shouldStoreAtAllPlacesWhateverTheOrderOfBytes() throws IOException {
        // when
        Sink sink = filled(open(Kind.REPLACE, true, here("/b/f"), at("alias", "/g"), at("other", "/f"))
                .join());
        Entry entry = sink.commit(done -> {}).join();

        // then
        assertThat(entry.length()).isEqualTo(5);
        assertHello("own/f", "own/b/f", "own/b/g", "other/f");
        assertThat(sink.results())
                .containsExactly(
                        "/f: stored, 5 bytes",
                        "ftp://here/b/f: stored, 5 bytes",
                        "ftp://alias/g: stored, 5 bytes",
                        "ftp://other/f: stored, 5 bytes");
    }

    @Test
    void shouldStoreOnlyElsewhereWhenTheClientSaysSo() throws IOException {
        filled(open(Kind.REPLACE, false, at("other", "/f")).join())
                .commit(done -> {})
                .join();

        assertHello("other/f");
        assertThat(root.resolve("own/f")).doesNotExist();
    }

    @Test
    void shouldLeaveOneBehindAndTellOfItWhenItFails() throws IOException {
        // given: one that does not exist, one that hangs, one that may not be used
        Sink sink = filled(open(
                        Patience.of(Duration.ofSeconds(3)),
                        Kind.REPLACE,
                        true,
                        at("other", "/none/f"),
                        at("stuck", "/f"),
                        at("foreign", "/f"),
                        at("other", "/f"))
                .join());

        // when
        BackendException failure = failure(sink.commit(done -> {}));

        // then
        assertHello("own/f", "other/f");
        assertThat(failure.code()).isEqualTo(Code.FAILED);
        assertThat(failure).hasMessage("3 of 5 places failed");
        assertThat(failure.details())
                .contains("/f: stored, 5 bytes", "ftp://other/f: stored, 5 bytes")
                .anyMatch(line -> line.startsWith("ftp://stuck/f: Connection timed out"))
                .anyMatch(line -> line.contains("does not store at foreign:21"))
                .endsWith("GMC_ERROR=", "ftp://other/none/f", "ftp://stuck/f", "ftp://foreign/f");
    }

    @Test
    void shouldRefuseAtOnceWhenNoPlaceTakesIt() {
        BackendException failure = failure(open(Kind.REPLACE, false, at("foreign", "/f"), at("foreign", "/g")));

        assertThat(failure.code()).isEqualTo(Code.DENIED);
        assertThat(failure.details()).contains("GMC_ERROR=", "ftp://foreign/g");
    }

    @Test
    void shouldLeaveOneBehindWhenItsServerCannotBeOpened() throws IOException {
        // given
        Sink sink = filled(
                open(Kind.REPLACE, true, at("broken", "/f"), at("other", "/f")).join());

        // when
        BackendException failure = failure(sink.commit(done -> {}));

        // then
        assertHello("own/f", "other/f");
        assertThat(failure.details()).anyMatch(line -> line.contains("broken server"));
    }

    @Test
    void shouldNotGoOnWhenOnePlaceLacksWhatIsThere() throws IOException {
        // given: both places keep a part, then one loses it
        filled(open(Kind.REPLACE, true, at("other", "/f")).join()).suspend().join();
        other.close();
        other = directory("other");

        // then: nothing is lost where it is
        assertThat(failure(open(Kind.RESUME, true, at("other", "/f"))).code()).isEqualTo(Code.BAD_RANGE);
        filled(open(Kind.RESUME, true).join()).commit(done -> {}).join();
        assertHello("own/f");
    }

    @Test
    void shouldTellEachPlaceThatTheClientHasLeft() {
        Sink sink = open(Kind.REPLACE, true, at("stuck", "/f"), at("stuck", "/g"), at("foreign", "/f"))
                .join();

        sink.left();

        assertThat(left).hasValue(2);
    }

    @Test
    void shouldLeaveNothingWhenItIsAborted() {
        Sink sink = filled(open(Kind.REPLACE, true, at("other", "/f")).join());

        sink.abort().join();

        assertThat(root.resolve("own/f")).doesNotExist();
        assertThat(root.resolve("other/f")).doesNotExist();
        assertThatThrownBy(() -> sink.write(0, Unpooled.buffer(1).writeZero(1)).join())
                .hasCauseInstanceOf(BackendException.class);
    }

    @Test
    void shouldAnswerWithoutAPlaceThatIsNotHeardOfAtItsEnd() {
        // given
        FakeScheduler time = new FakeScheduler();
        Patience patience = new Patience(
                Duration.ofSeconds(120), pause -> task -> time.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS));
        Sink sink = open(patience, Kind.REPLACE, false, at("stuck", "/f")).join();

        // when
        CompletableFuture<Entry> done = sink.commit(bytes -> {});
        time.advance(Duration.ofSeconds(119));
        committing.get(0).accept(0);
        time.advance(Duration.ofSeconds(119));

        // then
        assertThat(done).isNotDone();

        // when
        time.advance(Duration.ofSeconds(32));

        // then
        assertThat(done).isDone();
        BackendException failure = failure(done);
        assertThat(failure.code()).isEqualTo(Code.UNAVAILABLE);
        assertThat(failure.details())
                .anyMatch(line -> line.startsWith("ftp://stuck/f: ")
                        && line.endsWith("not heard of for 120 s; it may still arrive"));
        assertThat(aborted).hasValue(0);
    }
}
