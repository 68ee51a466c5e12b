package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResumedPublicationsTest {
    @TempDir
    private Path home;

    private final StubAgent agent = new StubAgent();
    private TestEnvironment world;
    private ResumedPublications resumed;

    @BeforeEach
    void start() {
        world = new TestEnvironment(home);
        CommonOptions options = new CommonOptions();
        options.json = true;
        agent.publish(PublishRequest.of(Path.of("/src/a"), "t"));
        agent.publish(PublishRequest.of(Path.of("/src/claimed"), "t"));
        resumed = new ResumedPublications(options.console(world.environment()), Runnable::run);
        resumed.start(agent, publication -> publication.progress().name().equals("claimed"));
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void shouldNameTheTopicWhenAResumedPublicationIsDone() {
        // given
        assertThat(resumed.progress()).hasSize(1);

        // when
        agent.started()
                .get(0)
                .succeed(new PublicationResult("0".repeat(32), "a", 1, "0".repeat(64), 1, 0, 0, 0.5, List.of()));

        // then
        assertThat(world.out())
                .singleElement()
                .asString()
                .startsWith("{\"event\":\"published\"")
                .contains("\"topic\":\"t\"");
        assertThat(resumed.progress()).isEmpty();
    }

    @Test
    void shouldTellWhenAResumedPublicationFails() {
        // when
        agent.started().get(0).fail(new AgentException(Code.TRANSFER_FAILED, "source changed"));

        // then
        assertThat(world.out())
                .singleElement()
                .asString()
                .startsWith("{\"event\":\"failed\"")
                .contains("\"topic\":\"t\"", "\"name\":\"a\"", "source changed", "\"exit\":4");
    }

    @Test
    void shouldBeSilentWhenTheAgentCloses() {
        // when
        agent.started().get(0).fail(new AgentException(Code.INTERRUPTED, "the agent is closed"));

        // then
        assertThat(world.out()).isEmpty();
        assertThat(world.err()).isEmpty();
    }
}
