package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A server listens a moment before its network has read what it keeps. */
class NetworkStartIT {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private ActiveMQServer server;
    private Network network;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        server.createQueue(QueueConfiguration.of("lh.sub.t@s").setAddress("lh.topic.t"));
        QuietLog log = new QuietLog(LoggerFactory.getLogger(NetworkStartIT.class), System::nanoTime);
        network = new Network(
                new Network.Parts(
                        server,
                        new LinkInlet.Places(
                                server, null, null, Optional.empty(), new Routes(), new Behind(), "hub", log),
                        0,
                        new Known(List.of(), Path.of("none"), false, log),
                        System::nanoTime,
                        System::currentTimeMillis),
                thread);
    }

    @AfterEach
    void stop() throws Exception {
        thread.shutdownNow();
        server.stop();
    }

    private <T> T onThread(Callable<T> task) throws Exception {
        return thread.submit(task).get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldAnswerOnlyOnceWhatIsKeptHasBeenRead() throws Exception {
        // given
        List<List<String>> answers = new ArrayList<>();
        network.execute("a question", () -> answers.add(network.subscriptions("t")));
        assertThat(onThread(() -> List.copyOf(answers))).as("before the start").isEmpty();

        // when
        onThread(() -> {
            network.start();
            return true;
        });

        // then
        assertThat(onThread(() -> List.copyOf(answers))).containsExactly(List.of("s"));
    }
}
