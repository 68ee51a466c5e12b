package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.Patience;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.wire.BrokerReport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is kept for a neighbour that is away while others reach those behind it. */
class CoveredQueuesIT {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private ActiveMQServer server;
    private Network network;

    private interface Task {
        void run() throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        QuietLog log = new QuietLog(LoggerFactory.getLogger(CoveredQueuesIT.class), System::nanoTime);
        network = new Network(LoneNetwork.parts(server, server, new Behind(), "hub", log), thread);
        onThread(network::start);
    }

    @AfterEach
    void stop() throws Exception {
        thread.shutdownNow();
        server.stop();
    }

    private void onThread(Task task) throws Exception {
        thread.submit(() -> {
                    task.run();
                    return true;
                })
                .get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private LinkSession attach(String peer) throws Exception {
        LinkSession session = new RecordedSession().session();
        onThread(() -> {
            network.attach(peer, session, LinkRights.all());
            network.begin(peer, session);
        });
        return session;
    }

    private LinkSession want(String peer, String... queues) throws Exception {
        LinkSession session = attach(peer);
        onThread(() -> network.wants(peer, session, new LinkFrame.Wants(1, true, Set.of(), Set.of(queues))));
        return session;
    }

    private void cut(String peer, LinkSession session) throws Exception {
        onThread(() -> network.ended(peer, session, "cut"));
    }

    private void reported(String broker, String... peers) throws Exception {
        List<BrokerReport.LinkReport> links = Stream.of(peers)
                .map(peer -> new BrokerReport.LinkReport(peer, true, true, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                .toList();
        onThread(() -> network.reported(broker, new BrokerReport(broker, 1, 0, 0, links, List.of())));
    }

    private void publish() throws Exception {
        server.getPostOffice().route(frame(), false);
    }

    /** Takes the brokers that it has passed, the last one the neighbour. */
    private void arrive(String... passed) throws Exception {
        Message frame = frame();
        FrameProperties.arrived(frame, passed[passed.length - 1], String.join("/", passed) + '/');
        server.getPostOffice().route(frame, false);
    }

    private Message frame() {
        return new CoreMessage(server.getStorageManager().generateID(), 50)
                .setAddress("lh.topic.a")
                .setDurable(true);
    }

    private long waiting() {
        return server.locateQueue("lh.link.leaf@lh.topic.a").getMessageCount();
    }

    /** A broker on the other way may have sent a message before it knew that way, and is not sent it again. */
    @Test
    void shouldKeepOnlyWhatHasPassedTheOtherWayWhenThatReachesAllBehindWhoIsAway() throws Exception {
        // given
        LinkSession away = want("leaf", "lh.sub.a@s");
        want("way", "lh.sub.a@s");
        want("other");
        reported("way", "hub", "beyond");
        reported("beyond", "way");
        reported("other", "hub");

        // when
        cut("leaf", away);
        publish();
        arrive("other");
        arrive("way");
        arrive("beyond", "other");

        // then
        await().until(() -> waiting() >= 2);
        assertThat(waiting()).isEqualTo(2);
    }

    /** It may want other things than before, as when those behind it have gone elsewhere. */
    @Test
    void shouldKeepEverythingForWhoIsAwayUntilTheOtherOneHasSaidWhatItWants() throws Exception {
        // given
        LinkSession away = want("leaf", "lh.sub.a@s");
        LinkSession before = want("way", "lh.sub.a@s");
        cut("leaf", away);
        cut("way", before);
        reported("way", "hub");

        // when
        attach("way");
        publish();

        // then
        await().until(() -> waiting() == 1);
    }
}
