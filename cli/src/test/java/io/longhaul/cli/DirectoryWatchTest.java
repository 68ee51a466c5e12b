package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.cli.StubAgent.StubPublication;
import io.longhaul.cli.option.TopicDirectory;
import io.longhaul.cli.watch.WatchJournal;
import io.longhaul.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryWatchTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path home;

    private final StubAgent agent = new StubAgent();
    private TestEnvironment world;
    private WatchJournal journal;
    private DirectoryWatch watch;
    private long nowNs;

    @BeforeEach
    void start() throws IOException {
        world = new TestEnvironment(home);
        Files.createDirectories(home.resolve("in"));
        Files.writeString(home.resolve("in/a"), "1");
        open();
    }

    private void open() {
        open(Disk.real());
    }

    private void open(Disk disk) {
        journal = WatchJournal.open(home.resolve("watched.jsonl"), disk, List.of(home.resolve("in")));
        watch = watchFor("t");
    }

    private DirectoryWatch watchFor(String topic) {
        return new DirectoryWatch(
                new TopicDirectory(topic, home.resolve("in")),
                journal,
                agent,
                new CommonOptions().console(world.environment()),
                Runnable::run,
                () -> nowNs);
    }

    @AfterEach
    void stop() {
        journal.close();
        world.close();
    }

    private void scan(int times) {
        for (int i = 0; i < times; i++) {
            watch.scan();
        }
    }

    private static PublicationResult result(String name) {
        return new PublicationResult("0".repeat(32), name, 1, "0".repeat(64), 1, 0, 0, 0.5, List.of());
    }

    @Test
    void shouldPublishOnceWhenFileStays() {
        // given
        agent.onPublish(publication -> publication.succeed(result("a")));

        // when
        scan(5);
        journal.close();
        open();
        scan(5);

        // then
        assertThat(agent.started()).hasSize(1);
        assertThat(world.out()).hasSize(1);
    }

    @Test
    void shouldPublishAgainWhenProcessEndedBeforeTheBrokerHadIt() {
        // given
        scan(2);
        assertThat(agent.started()).hasSize(1);

        // when
        restart();
        scan(2);

        // then
        assertThat(agent.started()).hasSize(2);
    }

    /** What a predecessor began to publish. */
    private StubPublication unfinished() {
        agent.publish(PublishRequest.of(home.resolve("in/a"), "t").withName("a"));
        return agent.started().get(0);
    }

    private void restart() {
        journal.close();
        open();
    }

    @Test
    void shouldNotPublishAgainWhenWhatAPredecessorBeganGoesOn() {
        // given
        StubPublication unfinished = unfinished();

        // when
        assertThat(watch.claim(unfinished)).isTrue();
        scan(2);
        unfinished.succeed(result("a"));
        scan(2);
        restart();
        scan(2);

        // then
        assertThat(agent.started()).hasSize(1);
        assertThat(world.out()).hasSize(1);
    }

    @Test
    void shouldPublishAnewWhenTheFileChangedSinceAPredecessorBegan() throws IOException {
        // given
        StubPublication unfinished = unfinished();
        Files.writeString(home.resolve("in/a"), "longer");

        // when
        assertThat(watch.claim(unfinished)).isTrue();
        unfinished.succeed(result("a"));
        scan(3);

        // then
        assertThat(agent.started()).hasSize(2);
    }

    @Test
    void shouldTryAgainWhenWhatAPredecessorBeganFails() {
        // given
        StubPublication unfinished = unfinished();
        assertThat(watch.claim(unfinished)).isTrue();

        // when
        unfinished.fail(new AgentException(Code.TRANSFER_FAILED, "no luck"));
        nowNs = 31 * SECOND;
        scan(2);

        // then
        assertThat(agent.started()).hasSize(2);
        assertThat(world.err()).singleElement().asString().contains("no luck");
    }

    @Test
    void shouldLeaveToOthersWhenItIsOfAnotherPlaceOrName() throws IOException {
        // given
        Path elsewhere = Files.writeString(home.resolve("b"), "1");
        PublishRequest other = PublishRequest.of(elsewhere, "t");
        PublishRequest renamed = PublishRequest.of(home.resolve("in/a"), "t").withName("z");

        // then
        assertThat(watch.claim(agent.publish(other))).isFalse();
        assertThat(watch.claim(agent.publish(renamed))).isFalse();
        assertThat(watchFor("another").claim(agent.publish(PublishRequest.of(home.resolve("in/a"), "t"))))
                .isFalse();
    }

    @Test
    void shouldGoOnWithTheNextWhenOneEnds() throws IOException {
        // given
        for (int i = 0; i < 40; i++) {
            Files.writeString(home.resolve("in/file" + i), "1");
        }
        scan(2);
        assertThat(agent.started()).hasSize(16);

        // when
        Files.writeString(home.resolve("in/file9"), "it has changed since");
        for (int i = 0; i < agent.started().size(); i++) {
            agent.started().get(i).succeed(result("a"));
        }

        // then
        assertThat(agent.started())
                .hasSize(40)
                .extracting(StubPublication::name)
                .doesNotContain("file9");
    }

    @Test
    void shouldBeginWithNoMoreBeforeTheNextScanWhenOneFails() throws IOException {
        // given
        for (int i = 0; i < 40; i++) {
            Files.writeString(home.resolve("in/file" + i), "1");
        }
        scan(2);

        // when
        agent.started().get(0).fail(new AgentException(Code.REFUSED, "nobody subscribes"));
        agent.started().get(1).succeed(result("a"));

        // then
        assertThat(agent.started()).hasSize(16);
        scan(1);
        assertThat(agent.started()).hasSize(18);
    }

    @Test
    void shouldPublishToBothWhenOneDirectoryIsWatchedForTwoTopics() {
        // given
        agent.onPublish(publication -> publication.succeed(result("a")));
        DirectoryWatch other = watchFor("another");
        scan(2);

        // when
        other.scan();
        other.scan();

        // then
        assertThat(agent.started()).hasSize(2);
    }

    @Test
    void shouldPublishOnceWhenTheDiskIsFullAfterwards() {
        // given
        FullDisk disk = new FullDisk();
        journal.close();
        open(disk.disk());
        agent.onPublish(publication -> publication.succeed(result("a")));
        disk.full(true);

        // when
        for (int i = 0; i < 4; i++) {
            scan(1);
            nowNs += 31 * SECOND;
        }
        disk.full(false);
        scan(2);
        restart();
        scan(2);

        // then
        assertThat(agent.started()).hasSize(1);
        assertThat(world.out()).singleElement().asString().startsWith("published");
        assertThat(world.err()).allMatch(line -> line.contains("no space"));
    }

    @Test
    void shouldRememberWhenSpaceComesBackOnlyAtTheEnd() {
        // given
        FullDisk disk = new FullDisk();
        journal.close();
        open(disk.disk());
        agent.onPublish(publication -> publication.succeed(result("a")));
        disk.full(true);
        scan(2);

        // when
        disk.full(false);
        restart();
        scan(2);

        // then
        assertThat(agent.started()).hasSize(1);
    }

    @Test
    void shouldPublishOnceWhenTheFileThatItReplacedEndsLater() throws IOException {
        // given
        scan(2);
        Files.writeString(home.resolve("in/a"), "longer");
        scan(2);

        // when
        List<StubPublication> begun = List.copyOf(agent.started());
        for (int i = begun.size() - 1; i >= 0; i--) {
            begun.get(i).succeed(result("a"));
        }
        agent.onPublish(publication -> publication.succeed(result("a")));
        scan(5);

        // then
        assertThat(agent.started()).hasSize(2);
    }

    @Test
    void shouldPublishAgainWhenFileIsReplaced() throws IOException {
        // given
        agent.onPublish(publication -> publication.succeed(result("a")));
        scan(2);

        // when
        Files.writeString(home.resolve("new"), "22");
        Files.move(home.resolve("new"), home.resolve("in/a"), StandardCopyOption.REPLACE_EXISTING);
        scan(2);

        // then
        assertThat(agent.started()).hasSize(2);
    }

    @Test
    void shouldTryAgainAfterAWhileWhenPublicationFails() {
        // given
        agent.onPublish(publication -> publication.fail(new AgentException(Code.REFUSED, "nobody subscribes")));
        scan(5);
        assertThat(agent.started()).hasSize(1);

        // when
        nowNs = 31 * SECOND;
        scan(1);

        // then
        assertThat(agent.started()).hasSize(2);
        assertThat(world.err()).hasSize(2).allMatch(line -> line.contains("nobody subscribes"));
    }

    @Test
    void shouldComplainOnceWhenDirectoryVanishes() throws IOException {
        // given
        Files.delete(home.resolve("in/a"));
        Files.delete(home.resolve("in"));

        // when
        scan(3);

        // then
        assertThat(world.err()).singleElement().asString().contains("cannot be scanned");
    }

    @Test
    void shouldComplainOnceWhenAFileIsRefusedAgainAndAgain() {
        // given
        agent.refuse(new AgentException(Code.USAGE, "name is not valid UTF-8: \"a\\xff\""));

        // when
        for (int i = 0; i < 5; i++) {
            nowNs += 31 * SECOND;
            scan(1);
        }

        // then
        assertThat(agent.refused()).isGreaterThan(2);
        assertThat(world.err()).singleElement().asString().contains("xff");
    }
}
