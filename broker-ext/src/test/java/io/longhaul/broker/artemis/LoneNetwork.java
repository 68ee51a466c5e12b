package io.longhaul.broker.artemis;

import io.longhaul.broker.Patience;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.wire.BrokerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.slf4j.LoggerFactory;

/** The network of a broker whose neighbours are lists. */
final class LoneNetwork implements AutoCloseable {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final ActiveMQServer server;
    private final Network network;
    private long sequence; // of the neighbours' reports

    LoneNetwork(String name) throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        QuietLog log = new QuietLog(LoggerFactory.getLogger(LoneNetwork.class), System::nanoTime);
        network = new Network(parts(server, server, new Behind(), name, log), thread);
    }

    /**
     * Returns what a network has to which no messages come.
     *
     * @param own where it looks for queues
     * @param inlet where what comes over links would go
     */
    static Network.Parts parts(ActiveMQServer own, ActiveMQServer inlet, Behind behind, String name, QuietLog log)
            throws IOException {
        Intake intake = new Intake(inlet, OrderClock.open(Path.of("none"), Clock.systemUTC()), null);
        return new Network.Parts(
                own,
                new LinkInlet.Places(inlet, intake, null, Optional.empty(), new Routes(), behind, name, log),
                0,
                new Known(List.of(), Path.of("none"), false, log),
                System::nanoTime,
                System::currentTimeMillis);
    }

    ActiveMQServer server() {
        return server;
    }

    Network network() {
        return network;
    }

    void start() throws Exception {
        run(network::start);
    }

    <T> T onThread(Callable<T> task) throws Exception {
        return thread.submit(task).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    void run(NetworkThread.Task task) throws Exception {
        onThread(() -> {
            task.run();
            return true;
        });
    }

    /** Has a neighbour link, in place of a session that it had before. */
    LinkSession attach(String peer, RecordedSession recorded) throws Exception {
        LinkSession session = recorded.session();
        run(() -> {
            network.attach(peer, session, LinkRights.all());
            network.begin(peer, session);
        });
        return session;
    }

    /** Has a neighbour say which links it has. */
    void report(String peer, String... linked) throws Exception {
        List<BrokerReport.LinkReport> ends = List.of(linked).stream()
                .map(to -> new BrokerReport.LinkReport(to, true, true, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                .toList();
        run(() -> network.reported(peer, new BrokerReport(peer, ++sequence, 0, 0, ends, List.of())));
    }

    /** Has a neighbour say what it wants, all of it with version 1. */
    void want(String peer, LinkSession session, long version, String... added) throws Exception {
        run(() -> network.wants(peer, session, new LinkFrame.Wants(version, version == 1, Set.of(), Set.of(added))));
    }

    /** Has a neighbour act on all that it was told over a session. */
    void act(String peer, LinkSession session, RecordedSession recorded) throws Exception {
        run(() -> recorded.sent(LinkFrame.Wants.class).forEach(wants -> network.known(peer, session, wants.version())));
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
