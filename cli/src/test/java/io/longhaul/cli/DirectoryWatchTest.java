package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.PublicationResult;
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
        journal = WatchJournal.open(home.resolve("watched.jsonl"), Disk.real());
        watch = new DirectoryWatch(
                new TopicDirectory("t", home.resolve("in")),
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
        journal.close();
        open();
        scan(2);

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
