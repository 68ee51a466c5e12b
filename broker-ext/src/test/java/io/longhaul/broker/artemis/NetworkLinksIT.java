package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.wire.BrokerReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Links of one broker, whose other ends are lists. */
class NetworkLinksIT {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong nowNs = new AtomicLong();
    private final RecordedSession first = new RecordedSession();
    private ActiveMQServer server;
    private Network network;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        QuietLog log = new QuietLog(LoggerFactory.getLogger(NetworkLinksIT.class), System::nanoTime);
        network = new Network(
                new Network.Parts(
                        server,
                        new LinkInlet.Places(
                                server, null, null, Optional.empty(), new Routes(), new Behind(), "hub", log),
                        0,
                        0,
                        nowNs::get,
                        System::currentTimeMillis),
                thread);
        onThread(() -> {
            network.start();
            return true;
        });
    }

    @AfterEach
    void stop() throws Exception {
        thread.shutdownNow();
        server.stop();
    }

    private <T> T onThread(Callable<T> task) throws Exception {
        return thread.submit(task).get(10, TimeUnit.SECONDS);
    }

    private void pass(Duration time) {
        nowNs.addAndGet(time.toNanos());
    }

    private void attach(LinkSession session) throws Exception {
        onThread(() -> {
            network.attach("leaf", session, LinkRights.all());
            network.begin("leaf", session);
            return true;
        });
    }

    private Optional<LinkFrame.Reason> refusal() throws Exception {
        return onThread(() -> network.objection("leaf", false, LinkRights.all())).map(LinkFrame.Refused::reason);
    }

    private void report(long sequence) throws Exception {
        onThread(() -> {
            network.reported("leaf", new BrokerReport("leaf", sequence, 0, 0, List.of()));
            return true;
        });
    }

    /** Or two links of one broker, or two brokers of one name, would take each other's place for ever. */
    @Test
    void shouldRefuseAnotherLinkFromABrokerWhileTheFirstIsAlive() throws Exception {
        // given
        attach(first.session());

        // then
        assertThat(refusal()).contains(LinkFrame.Reason.LINKED);

        // when
        pass(Duration.ofSeconds(4));
        boolean silent = refusal().isEmpty();
        report(1);

        // then
        assertThat(silent).isTrue();
        assertThat(refusal()).contains(LinkFrame.Reason.LINKED);
    }

    @Test
    void shouldTakeANewLinkAtOnceWhenTheFirstHasLostItsConnections() throws Exception {
        // given
        attach(first.session());

        // when
        first.cut();

        // then
        assertThat(refusal()).isEmpty();
    }

    @Test
    void shouldKnowToWhomItHasOpenedALink() throws Exception {
        // given
        LinkSession session = first.opened();
        attach(session);
        boolean before = onThread(() -> network.hasOpened("leaf"));

        // when
        onThread(() -> {
            network.ended("leaf", session, "cut");
            return true;
        });

        // then
        assertThat(before).isTrue();
        assertThat(onThread(() -> network.hasOpened("leaf"))).isFalse();
    }
}
