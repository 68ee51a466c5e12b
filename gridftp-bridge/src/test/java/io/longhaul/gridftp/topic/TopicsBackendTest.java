package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.gridftp.topic.FakeAgent.FakePublication;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TopicsBackendTest {
    private static final String PATH = "/T/some/path.nc";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ManualTime time = new ManualTime();
    private final ThreadPoolExecutor workers = (ThreadPoolExecutor) Executors.newCachedThreadPool();
    private final AtomicInteger moves = new AtomicInteger();
    private FakeAgent agent = new FakeAgent();

    @TempDir
    private Path home;

    private Path directory = Path.of("");
    private TopicsBackend topics;

    @BeforeEach
    void open() {
        open("first");
    }

    private void open(String name) {
        directory = home.resolve(name);
        TopicsConfig config = TopicsConfig.defaults().withQuorum(Quorum.ALL, PATIENCE);
        topics = TopicsBackend.open(directory, agent, config, new World(time, time::nanoTime, workers, time), () -> {});
    }

    @AfterEach
    void close() throws InterruptedException {
        topics.close();
        workers.shutdown();
        assertThat(workers.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private static WriteRequest request(String path, Quorum quorum) {
        return WriteRequest.replace(FilePath.of(path)).withQuorum(Optional.of(quorum));
    }

    private CompletableFuture<Entry> store(String path, Quorum quorum, String text) {
        Sink sink = topics.write(request(path, quorum)).join();
        sink.write(0, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)).join();
        return sink.commit(done -> moves.incrementAndGet());
    }

    private FakePublication publication(int number) {
        return agent.recorded(number, directory);
    }

    /** Returns a publication when its client waits for receipts, and so hears of bytes that have moved. */
    private FakePublication awaited(int number) {
        FakePublication publication = publication(number);
        int before = moves.get();
        publication.safeBytes++;
        time.passUntil(Duration.ofSeconds(1), () -> moves.get() > before);
        return publication;
    }

    private void awaitShown(String path) {
        Patience.await()
                .until(() -> topics.stat(FilePath.of(path))
                        .handle((entry, missing) -> missing == null)
                        .join());
    }

    private static String bytes(FakePublication publication) throws IOException {
        return Files.readString(publication.request.source().orElseThrow());
    }

    private static void assertFails(Code code, String words, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(BackendException.class, e -> {
                    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
                    assertThat(e).hasMessageContaining(words);
                });
    }

    private String read(String path) {
        try (Source source = topics.read(FilePath.of(path), List.of(new ByteRange(0, Long.MAX_VALUE)))
                .join()) {
            Block block = source.next().join().orElseThrow();
            try {
                return block.bytes().toString(StandardCharsets.UTF_8);
            } finally {
                block.bytes().release();
            }
        }
    }

    @Test
    void shouldAnswerWhenAllSubscriptionsHaveWhatWasStored() throws IOException {
        // when
        CompletableFuture<Entry> stored = store(PATH, Quorum.ALL, "rain");
        FakePublication publication = awaited(1);

        // then
        assertThat(publication.request.topic()).isEqualTo("T");
        assertThat(publication.request.name()).contains("some/path.nc");
        assertThat(publication.request.receipts()).isEqualTo(2);
        assertThat(bytes(publication)).isEqualTo("rain");

        // when
        int before = moves.get();
        publication.answer("a", "");

        // then
        Patience.await().until(() -> moves.get() > before);
        assertThat(stored).isNotDone();

        // when
        publication.answer("b", "");

        // then
        assertThat(stored.join().length()).isEqualTo(4);
        FilePath path = FilePath.of(PATH);
        assertThat(topics.stat(path).join().name()).isEqualTo("path.nc");
        assertThat(topics.list(FilePath.ROOT).join()).extracting(Entry::name).containsExactly("T");
        assertThat(topics.list(path.parent()).join()).extracting(Entry::name).containsExactly("path.nc");
        assertThat(topics.checksum(path, ChecksumAlgorithm.ADLER32, new ByteRange(0, Long.MAX_VALUE), done -> {})
                        .join())
                .isEqualTo("042f01ab");
        assertThat(read(PATH)).isEqualTo("rain");
    }

    @Test
    void shouldAnswerWhenAQuorumHasItWhateverTheOthersSay() {
        // given
        CompletableFuture<Entry> one = store(PATH, new Quorum(1), "rain");
        FakePublication publication = publication(1);

        // when
        publication.answer("a", "no");

        // then
        assertThat(one).isNotDone();

        // when
        publication.answer("b", "");

        // then
        assertThat(one.join().length()).isEqualTo(4);
    }

    @Test
    void shouldNameWhoRefusedAndWhyWhenTheQuorumCannotBeMet() {
        // given
        CompletableFuture<Entry> all = store(PATH, Quorum.ALL, "rain");

        // when
        publication(1).answer("b", "a directory is in its place");

        // then
        assertFails(Code.FAILED, "subscription b of agent agent-b failed: \"a directory is in its place\"", all::join);
    }

    @Test
    void shouldNameTheTopicWhenNobodyOrTooFewSubscribe() {
        assertFails(
                Code.UNAVAILABLE,
                "nobody subscribes to topic nobodys",
                () -> store("/nobodys/f", Quorum.ALL, "").join());
        assertFails(
                Code.UNAVAILABLE,
                "expected receipts of 3 subscriptions of topic T, found 2: a, b",
                () -> store(PATH, new Quorum(3), "").join());
        assertThat(agent.published).isEmpty();
    }

    @Test
    void shouldSayHowManyCameWhenPatienceEndsAndJoinTheSameBytesAfterwards() throws IOException {
        // given
        CompletableFuture<Entry> first = store(PATH, Quorum.ALL, "rain");
        awaited(1).answer("a", "");

        // when
        time.pass(PATIENCE);

        // then
        assertFails(
                Code.UNAVAILABLE,
                "topic T: 1 of 2 receipts came within 120 s, from a; still to come: b; the delivery goes on",
                first::join);

        // when
        CompletableFuture<Entry> again = store(PATH, Quorum.ALL, "rain");
        CompletableFuture<Entry> other = store(PATH, Quorum.ALL, "snow");
        FakePublication second = publication(2);
        publication(1).answer("b", "");

        // then
        again.join();
        assertThat(agent.published).hasSize(2);
        assertThat(bytes(second)).isEqualTo("snow");
        assertThat(other).isNotDone();
        assertThat(topics.stat(FilePath.of(PATH)).join().length()).isEqualTo(4);
    }

    @Test
    void shouldPublishAgainWhenTheClientWasToldAndStoresTheSame() {
        // given
        CompletableFuture<Entry> first = store(PATH, new Quorum(1), "rain");
        publication(1).answer("a", "");
        first.join();
        Patience.await()
                .until(() ->
                        new Records(directory.resolve("records")).all().get(0).isTold());
        // whoever has written that may still have to say so
        Patience.await().until(() -> workers.getActiveCount() == 0);

        // when
        CompletableFuture<Entry> second = store(PATH, new Quorum(1), "rain");

        // then
        publication(2).answer("a", "");
        second.join();
    }

    @Test
    void shouldGoOnWhenTheProcessWasKilled() throws IOException {
        // given: one that is published, one that waits for the network
        store("/T/one", Quorum.ALL, "one");
        FakePublication one = publication(1);
        Sink other = topics.write(request("/T/other", Quorum.ALL)).join();
        other.write(0, Unpooled.copiedBuffer("other", StandardCharsets.UTF_8)).join();
        agent.isOut = true;
        CompletableFuture<Entry> waiting = other.commit(done -> {});
        // and has its bytes in their place
        awaitShown("/T/other");

        // when: another process opens what is on the disk
        copy(directory, home.resolve("second"));
        agent = new FakeAgent();
        agent.unfinished.add(one);
        open("second");

        // then
        FakePublication second = publication(1);
        assertThat(bytes(second)).isEqualTo("other");
        assertThat(second.request.name()).contains("other");
        assertThat(waiting).isNotDone();
        assertThat(topics.list(FilePath.of("/T")).join())
                .extracting(Entry::name)
                .containsExactly("one", "other");

        // when: its client comes again
        CompletableFuture<Entry> again = store("/T/one", Quorum.ALL, "one");
        one.answer("a", "");
        one.answer("b", "");

        // then
        again.join();
        assertThat(agent.published).hasSize(1);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    @Test
    void shouldPublishWhenAnOutageEnds() {
        // given
        agent.isOut = true;
        CompletableFuture<Entry> stored = store(PATH, new Quorum(1), "rain");
        awaitShown(PATH);

        // when
        agent.isOut = false;
        time.passUntil(Duration.ofSeconds(1), () -> !agent.published.isEmpty());
        publication(1).answer("b", "");

        // then
        assertThat(stored.join().length()).isEqualTo(4);
    }

    @Test
    void shouldDropBytesAfterAWhileAndNamesLaterWhenAllHaveIt() {
        // given
        CompletableFuture<Entry> stored = store(PATH, Quorum.ALL, "rain");
        FakePublication publication = publication(1);
        publication.answer("a", "");
        publication.answer("b", "");
        stored.join();
        Path bytes = publication.request.source().orElseThrow();

        // when
        time.passUntil(Duration.ofMinutes(11), () -> !Files.exists(bytes));

        // then
        assertThat(topics.stat(FilePath.of(PATH)).join().length()).isEqualTo(4);
        assertFails(Code.NOT_FOUND, PATH, () -> read(PATH));

        // when
        time.passUntil(
                Duration.ofHours(1), () -> topics.list(FilePath.ROOT).join().isEmpty());

        // then: the record goes after the name
        Patience.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(new Records(directory.resolve("records")).all())
                        .isEmpty());
    }

    @Test
    void shouldLeaveNothingWhenAWriteIsAborted() {
        Sink sink = topics.write(request(PATH, Quorum.ALL)).join();
        sink.write(0, Unpooled.copiedBuffer("rain", StandardCharsets.UTF_8)).join();

        sink.abort().join();
        assertThat(agent.published).isEmpty();
        assertFails(Code.NOT_FOUND, PATH, () -> topics.stat(FilePath.of(PATH)).join());
    }

    @Test
    void shouldShowATopicThatSomebodySubscribesTo() {
        assertThat(topics.stat(FilePath.of("/subscribed")).join().isDirectory()).isTrue();
        assertThat(topics.list(FilePath.of("/subscribed")).join()).isEmpty();
        assertFails(
                Code.NOT_FOUND,
                "nobody subscribes to topic nobodys",
                () -> topics.stat(FilePath.of("/nobodys")).join());
    }

    @Test
    void shouldSayWhatCannotBeDoneToWhatIsPublished() {
        // given
        CompletableFuture<Entry> stored = store(PATH, new Quorum(1), "rain");
        publication(1).answer("a", "");
        stored.join();
        FilePath path = FilePath.of(PATH);

        // then
        assertFails(
                Code.DENIED,
                "cannot be changed or taken back",
                () -> topics.deleteFile(path).join());
        assertFails(
                Code.DENIED,
                "cannot be changed",
                () -> topics.rename(path, FilePath.of("/T/x")).join());
        assertFails(
                Code.BAD_NAME,
                "topic",
                () -> store("/no topic/f", Quorum.ALL, "").join());
        assertFails(
                Code.BAD_NAME,
                ".longhaul",
                () -> store("/T/.longhaul/f", Quorum.ALL, "").join());
        assertFails(Code.IS_A_DIRECTORY, "/T", () -> store("/T", Quorum.ALL, "").join());
        assertFails(
                Code.NOT_A_DIRECTORY,
                PATH,
                () -> store(PATH + "/f", Quorum.ALL, "").join());
        WriteRequest append = new WriteRequest(path, Kind.APPEND, 0, List.of(), Optional.empty());
        assertFails(Code.UNSUPPORTED, "as a whole", () -> topics.write(append).join());
    }
}
