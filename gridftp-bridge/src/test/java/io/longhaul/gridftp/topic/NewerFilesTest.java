package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.topic.FakeAgent.FakePublication;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is tried again, and a newer one of its path: what is in place at the end is the newer one. */
final class NewerFilesTest {
    private static final AgentException FULL =
            new AgentException(AgentException.Code.REFUSED, "broker: the quota is exhausted");

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final FakeAgent agent = new FakeAgent();
    private final PublishedFile older = file("1");
    private final PublishedFile newer = file("2");
    private Records records;
    private DirectoryBackend store;
    private Shelf shelf;
    private Deliveries deliveries;

    private PublishedFile file(String id) {
        return new PublishedFile(id, FilePath.of("/T/rain.nc"), 4, time.instant(), List.of(), "", State.WAITING, false);
    }

    @BeforeEach
    void open() throws IOException {
        World world = new World(time, time::nanoTime, Runnable::run, time);
        records = new Records(Files.createDirectory(directory.resolve("records")));
        Path files = Files.createDirectory(directory.resolve("store"));
        store = DirectoryBackend.open(files, 1, time::nanoTime, new SecureRandom());
        shelf = new Shelf(files, store, records, new Catalogue(time.instant()), TopicsConfig.defaults(), world);
        shelf.open(List.of());
        for (PublishedFile file : List.of(older, newer)) {
            Files.writeString(shelf.place(Shelf.stored(file)), "rain");
            records.put(file);
        }
        deliveries = new Deliveries(agent, records, shelf, world, 10);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private FakePublication publication(int number) {
        return agent.published.get(number);
    }

    private void fail(int number) {
        publication(number).isForgotten = true;
        publication(number).result.completeExceptionally(FULL);
    }

    private List<Path> sources() {
        return agent.published.stream()
                .map(each -> each.request.source().orElseThrow())
                .toList();
    }

    private Path bytes(PublishedFile file) {
        return shelf.place(Shelf.stored(file));
    }

    @Test
    void shouldNotComeBehindTheNewerFileThatCameWhileItWaited() {
        // given
        deliveries.resume(List.of(older));
        fail(0);
        deliveries.start(newer, Quorum.ALL);

        // when
        time.pass(Duration.ofMinutes(1));

        // then nobody knows yet what becomes of the newer one
        assertThat(sources()).containsExactly(bytes(older), bytes(newer));
        assertThat(bytes(older)).exists();

        // when
        publication(1).answer("a", "");
        publication(1).answer("b", "");
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(agent.published).hasSize(2);
        assertThat(records.all()).singleElement().extracting(PublishedFile::id).isEqualTo("2");
    }

    @Test
    void shouldGoOutWhenTheNewerFileCameToNothing() {
        // given
        deliveries.resume(List.of(older));
        deliveries.start(newer, Quorum.ALL);
        fail(0);

        // when
        fail(1);
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(sources()).containsExactly(bytes(older), bytes(newer), bytes(older));
        assertThat(records.all()).singleElement().extracting(PublishedFile::id).isEqualTo("1");
    }

    @Test
    void shouldGoOutInOrderWhenNeitherHasGoneOut() {
        // given
        agent.isOut = true;
        deliveries.resume(List.of(older, newer));
        agent.isOut = false;

        // when
        time.pass(Duration.ofSeconds(2));

        // then
        assertThat(sources()).containsExactly(bytes(older), bytes(newer));

        // when
        fail(0);
        fail(1);
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(sources()).containsExactly(bytes(older), bytes(newer), bytes(older), bytes(newer));
    }

    @Test
    void shouldNotComeBehindTheNewerFileWhenTheProcessDiedMeanwhile() {
        // when
        deliveries.resume(List.of(older, newer.withState(State.DELIVERED)));

        // then
        assertThat(agent.published).isEmpty();
        assertThat(records.all()).singleElement().extracting(PublishedFile::id).isEqualTo("2");
    }
}
