package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.Progress;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PublicationsTest {
    @TempDir
    private Path home;

    private final StubAgent agent = new StubAgent();
    private TestEnvironment world;
    private Publications publications;

    @BeforeEach
    void start() {
        world = new TestEnvironment(home);
        CommonOptions options = new CommonOptions();
        options.json = true;
        publications = new Publications(agent, options.console(world.environment()), "t", Runnable::run);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private StopSignal.Cause run(Optional<Duration> timeout, String... names) {
        List<PublishRequest> requests = new ArrayList<>();
        for (String name : names) {
            requests.add(PublishRequest.of(Path.of("/src", name), "t"));
        }
        return publications.run(requests, world.stop(), Deadline.in(timeout, System::nanoTime));
    }

    private static PublicationResult result(String name) {
        return new PublicationResult("0".repeat(32), name, 1, "0".repeat(64), 1, 0, 0, 0.5, List.of());
    }

    @Test
    void shouldReportEachWhenAllSucceed() {
        // given
        agent.onPublish(publication -> publication.succeed(result(publication.name())));

        // when
        StopSignal.Cause cause = run(Optional.empty(), "a", "b");

        // then
        assertThat(cause).isEqualTo(StopSignal.Cause.DONE);
        assertThat(publications.exitCode()).isZero();
        assertThat(world.out()).hasSize(2).allMatch(line -> line.startsWith("{\"event\":\"published\""));
    }

    @Test
    void shouldTakeFirstFailureWhenSomeFail() {
        // given
        agent.onPublish(publication -> {
            if (publication.name().equals("b")) {
                publication.fail(new AgentException(Code.TRANSFER_FAILED, "source changed"));
            } else {
                publication.succeed(result(publication.name()));
            }
        });

        // when
        run(Optional.empty(), "a", "b", "c");

        // then
        assertThat(publications.exitCode()).isEqualTo(4);
        assertThat(publications.isAllRefused()).isFalse();
        assertThat(world.err()).containsExactly("longhaul: \"b\" to t: source changed");
        assertThat(world.out()).hasSize(3).anyMatch(line -> line.contains("\"reason\":\"source changed\",\"exit\":4"));
    }

    @Test
    void shouldNameTheWholeSourceWhenItHasNoLastPart() {
        // given
        agent.refuse(new AgentException(Code.USAGE, "why"));

        // when
        publications.run(
                List.of(PublishRequest.of(Path.of("/"), "t")),
                world.stop(),
                Deadline.in(Optional.empty(), System::nanoTime));

        // then
        assertThat(world.err()).containsExactly("longhaul: \"/\" to t: why");
    }

    @Test
    void shouldKnowWhenEveryOneWasRefused() {
        // given
        agent.onPublish(publication -> publication.fail(new AgentException(Code.REFUSED, "nobody subscribes to t")));

        // when
        run(Optional.empty(), "a", "b");

        // then
        assertThat(publications.isAllRefused()).isTrue();
        assertThat(publications.exitCode()).isEqualTo(7);
    }

    @Test
    void shouldNotTakeItForRefusedWhenSourceWasSaidToBeKept() {
        // given
        agent.onPublish(publication -> {
            publication.spooled().complete(null);
            publication.fail(new AgentException(Code.REFUSED, "no right to publish to t"));
        });

        // when
        run(Optional.empty(), "a");

        // then
        assertThat(publications.isAllRefused()).isFalse();
        assertThat(publications.exitCode()).isEqualTo(7);
    }

    @Test
    void shouldNameWhatCanGoOnWhenItWasRefusedForNow() {
        // given
        agent.onPublish(publication -> {
            agent.keep(publication);
            publication.fail(new AgentException(Code.REFUSED, "1 can never come"));
        });

        // when
        int exit = publications.end(run(Optional.empty(), "a"), Path.of("/data"));

        // then
        String id = "0".repeat(32);
        assertThat(exit).isEqualTo(7);
        assertThat(world.err())
                .last()
                .isEqualTo("longhaul: " + id + " is kept in /data; 'longhaul resume " + id
                        + " --data /data' goes on with it");
        assertThat(publications.isAllRefused()).isFalse();
    }

    @Test
    void shouldBoundWhatRunsWhenSourcesAreMany() {
        // given
        String[] names = IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new);

        // when
        StopSignal.Cause cause = run(Optional.of(Duration.ofMillis(50)), names);

        // then
        assertThat(cause).isEqualTo(StopSignal.Cause.TIMED_OUT);
        assertThat(agent.started()).hasSize(16);
        assertThat(publications.progress()).hasSize(16);
    }

    @Test
    void shouldReturnWhenProcessIsAskedToEnd() {
        // given
        agent.onPublish(publication -> world.stop().request());

        // then
        assertThat(run(Optional.empty(), "a")).isEqualTo(StopSignal.Cause.STOPPED);
    }

    @Test
    void shouldTellWhenSourceIsNoLongerNeeded() {
        // given
        agent.onPublish(publication -> {
            publication.spooled().complete(null);
            publication.succeed(result(publication.name()));
        });

        // when
        publications.run(
                List.of(PublishRequest.of(Path.of("/src/a"), "t").withSpool(true)),
                world.stop(),
                Deadline.in(Optional.empty(), System::nanoTime));

        // then
        assertThat(world.out()).first().asString().startsWith("{\"event\":\"spooled\",");
    }

    @Test
    void shouldReportWhatWasCompletedAfterTheRunEnded() {
        // given
        run(Optional.of(Duration.ofMillis(1)), "a", "b");
        assertThat(publications.isOver()).isFalse();

        // when
        agent.started().get(0).succeed(result("a"));
        agent.started().get(1).fail(new AgentException(Code.INTERRUPTED, "closing"));
        publications.collectCompleted();

        // then
        assertThat(world.out()).singleElement().asString().startsWith("{\"event\":\"published\"");
        assertThat(publications.isOver()).isFalse();
        assertThat(publications.progress()).hasSize(1);
    }

    @Test
    void shouldSayHowItGoesOnWhenTimeIsOver() {
        // given
        StopSignal.Cause cause = run(Optional.of(Duration.ZERO), "a");

        // when
        int exit = publications.end(cause, Path.of("/data"));

        // then
        assertThat(exit).isEqualTo(6);
        assertThat(world.out()).singleElement().asString().startsWith("{\"event\":\"unfinished\"");
        assertThat(world.err())
                .last()
                .isEqualTo("longhaul: timed out; the same command goes on where this one stopped (data in /data)");
    }

    @Test
    void shouldNotPromiseToGoOnWhenStreamWasNotReadToItsEnd() {
        // given
        agent.onPublish(publication -> {});
        run(Optional.of(Duration.ZERO), "a", "b");
        agent.started().get(0).fail(new AgentException(Code.INTERRUPTED, "stopped"));
        agent.started().get(1).spooled().complete(null);

        // when
        publications.failUnread();

        // then
        assertThat(publications.exitCode()).isEqualTo(6);
        assertThat(publications.progress()).extracting(Progress::name).containsExactly("b");
        assertThat(world.err()).last().asString().contains("\"a\" to t: stopped before the end");
    }
}
