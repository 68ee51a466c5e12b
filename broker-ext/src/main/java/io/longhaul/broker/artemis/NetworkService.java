package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.Quotas;
import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.users.LoginDesk;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.SideDoor;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.BrokerReport;
import io.netty.buffer.ByteBuf;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server's part in the network: accepts links, opens those that it is told to, and runs {@link Network}. */
final class NetworkService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkService.class);
    private static final int CLIENT_THREADS = 2;
    private static final int LEAVE_SECONDS = 2;

    private final ServerSettings settings;
    private final ActiveMQServer server;
    private final QuietLog log;
    private final ScheduledExecutorService thread;
    private final Known known;
    private final Network network;
    private final NetworkPlugin plugin;
    private final LinkDoor door;
    private final Behind behind = new Behind();
    private final Optional<Forwards> forwards;
    private volatile boolean accepting;
    private @Nullable PtcpClient client;

    NetworkService(
            ServerSettings settings,
            ActiveMQServer server,
            Intake intake,
            Quotas quotas,
            Optional<LoginDesk> desk,
            QuietLog log) {
        this.settings = settings;
        this.server = server;
        this.log = log;
        this.thread = Executors.newSingleThreadScheduledExecutor(new NamedThreads("broker-network-1"));
        Routes routes = new Routes();
        this.forwards = settings.forwardOnly()
                ? Optional.of(new Forwards(settings.name(), System::nanoTime))
                : Optional.empty();
        forwards.ifPresent(server::registerBrokerPlugin);
        Clock clock = Clock.systemUTC();
        this.known = new Known(
                settings.links().stream().map(ServerSettings.LinkTo::label).toList(),
                settings.data(),
                settings.pair().isPresent(),
                log);
        this.network = new Network(
                new Network.Parts(
                        server,
                        new LinkInlet.Places(server, intake, quotas, forwards, routes, behind, settings.name(), log),
                        settings.fanOut(),
                        known,
                        System::nanoTime,
                        clock::millis),
                thread);
        this.plugin = new NetworkPlugin(server, network, routes, desk.map(LoginDesk::logins), settings.name());
        this.door = new LinkDoor(settings.name(), desk);
    }

    /** Returns what is known of subscriptions behind links. */
    Behind behind() {
        return behind;
    }

    /** Returns what this broker reported last. */
    BrokerReport report() {
        return network.reporter().own();
    }

    NetworkPlugin plugin() {
        return plugin;
    }

    /** Returns what lets other brokers in; it may be asked for before there is a service. */
    static SideDoor sideDoor(Supplier<@Nullable NetworkService> service) {
        return new SideDoor(LinkCodec.MAGIC, session -> {
            NetworkService now = service.get();
            if (now == null || !now.accepting) {
                session.abort("the broker is starting");
                return new Deaf();
            }
            return now.accept(session);
        });
    }

    private static final class Deaf implements PtcpListener {
        @Override
        public void received(ByteBuf bytes) {}

        @Override
        public void writabilityChanged(boolean writable) {}

        @Override
        public void closed(@Nullable PtcpException cause) {}
    }

    private PtcpListener accept(PtcpSession session) {
        return LinkSession.accepting(
                session, new LinkConversation(network, settings.name(), new LinkConversation.Acceptor(door, log)));
    }

    /** Begins, once the server has loaded what it keeps. */
    void start() throws Exception {
        String own = Addresses.broker(settings.name());
        takeName(own);
        server.createQueue(
                QueueConfiguration.of(own)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setDurable(true)
                        .setAutoDelete(false),
                true);
        if (!LinkQueues.peers(server).isEmpty()) {
            forwards.ifPresent(Forwards::remembering);
        }
        startNetwork();
        accepting = true;
        if (settings.links().isEmpty()) {
            return;
        }
        PtcpClient dialling = PtcpClient.launch("broker-link", CLIENT_THREADS);
        client = dialling;
        LinkDialer.Shared shared =
                new LinkDialer.Shared(dialling, network, settings.name(), thread, server.getThreadPool());
        for (ServerSettings.LinkTo to : settings.links()) {
            LinkDialer dialer = new LinkDialer(to, shared);
            network.execute("link to " + to, dialer::dial);
        }
    }

    /**
     * Neighbours keep what waits for this broker under the name that they know it by: under another one it would never come.
     * A name that nobody knows is given up.
     */
    private void takeName(String own) throws Exception {
        List<String> others = new ArrayList<>(LinkQueues.names(server, Addresses.BROKER_PREFIX));
        boolean known = others.remove(own);
        List<String> peers = LinkQueues.peers(server);
        if (!known && !others.isEmpty() && !peers.isEmpty()) {
            throw new ServerException(
                    ServerException.Kind.BAD_CONFIG,
                    "data " + settings.data() + ": expected that of broker " + settings.name()
                            + ", found that of broker "
                            + others.get(0).substring(Addresses.BROKER_PREFIX.length()) + ", for which "
                            + peers.get(0)
                            + " keeps what waits; give another --data, or the --name that it had");
        }
        for (String other : others) {
            server.destroyQueue(SimpleString.of(other), null, false);
        }
    }

    private void startNetwork() throws Exception {
        Callable<Void> task = () -> {
            network.start();
            return null;
        };
        thread.submit(task).get();
    }

    @Override
    public void close() {
        accepting = false;
        leave();
        thread.shutdownNow();
        if (client != null) {
            client.close();
        }
        LOG.debug("network of {} closed", settings.name());
    }

    /** What comes over links, or is confirmed, while the server stops would be a failure of it. */
    private void leave() {
        try {
            Future<CompletableFuture<Void>> left = thread.submit(() -> {
                known.keep();
                return network.leave();
            });
            left.get(LEAVE_SECONDS, TimeUnit.SECONDS).get(LEAVE_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException | ExecutionException | TimeoutException e) {
            LOG.debug("network of {}: not left in order: {}", settings.name(), e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
