package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import io.longhaul.broker.users.LoginDesk;
import io.longhaul.broker.users.LoginThreads;
import io.longhaul.broker.users.Logins;
import io.longhaul.broker.users.UsersException;
import io.longhaul.broker.witness.WitnessBook;
import io.longhaul.broker.witness.WitnessCodec;
import io.longhaul.broker.witness.WitnessDesk;
import io.longhaul.broker.witness.WitnessDoor;
import io.longhaul.ptcp.artemis.SideDoor;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.BrokerReport;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An Artemis server in this process with Longhaul's plugins; may be used from any thread. */
public final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);

    /** Artemis's logger of every message; on whenever everything is logged at that level. */
    private static final String AUDIT = "org.apache.activemq.audit.message";

    private static final long LOGIN_PERIOD_MILLIS = 1000;

    private final ServerSettings settings;
    private final DataLock lock;
    private final ActiveMQServer server;
    private final Intake intake;
    private final BacklogKeeper backlogs;
    private final NetworkService network;
    private final Services services;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedServer(
            ServerSettings settings,
            DataLock lock,
            ActiveMQServer server,
            Intake intake,
            BacklogKeeper backlogs,
            NetworkService network,
            Services services) {
        this.settings = settings;
        this.lock = lock;
        this.server = server;
        this.intake = intake;
        this.backlogs = backlogs;
        this.network = network;
        this.services = services;
    }

    /**
     * What goes on beside the server and its network: rounds, answers to brokers that this one is the witness of, the pair
     * that it is one of, logins, limits, and receipts that nobody takes.
     */
    private record Services(
            ScheduledExecutorService keeper,
            List<ExecutorService> witness,
            Optional<PairService> pair,
            Optional<LoginDesk> logins,
            LimitService limits,
            UntakenReceipts receipts) {}

    /** Locks the data directory, loads what is in it and listens. */
    public static EmbeddedServer launch(ServerSettings settings) throws ServerException {
        NettyMemory.bound();
        DataLock lock = DataLock.claim(settings.data());
        EmbeddedServer launched = null;
        try {
            launched = assemble(settings, lock);
            launched.start();
            return launched;
        } catch (ServerException e) {
            closeFailed(launched, lock, e);
            throw e;
        } catch (UsersException e) {
            closeFailed(launched, lock, e);
            throw new ServerException(ServerException.Kind.BAD_CONFIG, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            closeFailed(launched, lock, e);
            throw DataFailure.of(settings.data(), "cannot be used", e);
        } catch (Exception e) {
            closeFailed(launched, lock, e);
            throw new ServerException(
                    ServerException.Kind.FAILED, "broker " + settings.name() + " cannot start: " + e, e);
        }
    }

    private static EmbeddedServer assemble(ServerSettings settings, DataLock lock) throws Exception {
        checkLoggers();
        FreePorts.check(settings);
        DiskFloor.FreeSpace space = DiskFloor.FreeSpace.of(settings.data());
        DiskFloor floor = settings.forwardOnly()
                ? DiskFloor.none(settings.data(), space)
                : new DiskFloor(settings.data(), space, settings.limits().floorBytes());
        prepareDisk(settings, space, floor);
        AtomicReference<@Nullable ActiveMQServer> itself = new AtomicReference<>();
        AtomicReference<@Nullable NetworkService> linked = new AtomicReference<>();
        QuietLog log = new QuietLog(LOG, System::nanoTime);
        Optional<LoginDesk> logins = settings.users().map(file -> desk(file, log));
        LinkDoor links = new LinkDoor(settings.name(), logins);
        WitnessDesk desk = new WitnessDesk(WitnessBook.open(settings.data()), links::isLinking, System::nanoTime);
        List<ExecutorService> witness = List.of(single("broker-witness-1"), single("broker-witness-2"));
        WitnessDoor door = new WitnessDoor(desk, links, witness.get(0), witness.get(1), log::warn);
        Optional<Pair> pair = settings.pair().isPresent()
                ? Optional.of(Pair.open(settings, settings.pair().get()))
                : Optional.empty();
        ForcedServer server = new ForcedServer(
                ServerConfiguration.of(settings, pair),
                logins.map(known -> new TopicRights(known.logins(), name -> owner(itself.get(), name)))
                        .orElse(null),
                new Acceptors(
                                List.of(
                                        NetworkService.sideDoor(linked::get),
                                        new SideDoor(WitnessCodec.MAGIC, door::accept)),
                                pair.map(Pair::secret))
                        .services(settings, log));
        itself.set(server);
        OrderClock.Copy copy = pair.isPresent() ? new OrderNote(server)::write : bound -> {};
        Intake intake = new Intake(server, OrderClock.open(settings.data(), Clock.systemUTC(), copy), floor);
        server.registerBrokerPlugin(intake);
        server.registerBrokerPlugin(new OneConsumer(server));
        KnownPeers.watch(server);
        logins.ifPresent(known -> guard(server, known));
        LimitService limits = LimitService.of(settings.limits(), server, logins.map(LoginDesk::logins));
        server.registerBrokerPlugin(limits.keeper());
        NetworkService network = new NetworkService(settings, server, intake, limits.quotas(), logins, log);
        linked.set(network);
        server.registerBrokerPlugin(network.plugin());
        ScheduledExecutorService keeper =
                Executors.newSingleThreadScheduledExecutor(new NamedThreads("broker-keeper-1"));
        floor.look();
        every(keeper, DiskFloor.PERIOD_MILLIS, floor::look);
        logins.ifPresent(known -> follow(known.logins(), server, keeper));
        BacklogKeeper backlogs = new BacklogKeeper(
                server, settings.limits().backlogBytes(), network.behind(), System::nanoTime, new SecureRandom(), log);
        every(keeper, BacklogKeeper.PERIOD_MILLIS, backlogs::round);
        every(keeper, StaleMessages.PERIOD_MILLIS, new StaleMessages(server, System::nanoTime)::round);
        every(keeper, TopicBacklogs.PERIOD_MILLIS, limits::look);
        UntakenReceipts receipts = new UntakenReceipts(server, settings.limits().backlogBytes(), System::nanoTime, log);
        every(keeper, UntakenReceipts.PERIOD_MILLIS, receipts::round);
        Optional<PairService> paired =
                pair.map(one -> PairService.of(settings, one, settings.pair().get(), server, desk));
        Services services = new Services(keeper, witness, paired, logins, limits, receipts);
        return new EmbeddedServer(settings, lock, server, intake, backlogs, network, services);
    }

    private static void guard(ActiveMQServer server, LoginDesk logins) {
        SessionLogins.guard(server, logins);
        server.registerBrokerPlugin(new AnswerRights(logins.logins()));
        server.registerBrokerPlugin(new ParcelRules(logins.logins()));
    }

    private static LoginDesk desk(Path users, QuietLog log) {
        Logins logins = Logins.of(users, System::nanoTime, new SecureRandom());
        return new LoginDesk(logins, LoginThreads.ofBroker(), log::warn);
    }

    private static void follow(Logins logins, ActiveMQServer server, ScheduledExecutorService keeper) {
        AccountWatch accounts = new AccountWatch(server, logins::users);
        every(keeper, LOGIN_PERIOD_MILLIS, () -> {
            logins.refresh();
            accounts.round();
        });
    }

    private static ExecutorService single(String name) {
        return Executors.newSingleThreadExecutor(new NamedThreads(name));
    }

    private static void prepareDisk(ServerSettings settings, DiskFloor.FreeSpace space, DiskFloor floor)
            throws Exception {
        JournalSpace.checkKind(settings);
        JournalSpace.check(settings, space, floor);
        for (Path directory : ServerConfiguration.directories(settings)) {
            Directories.make(directory);
        }
        StoredData.check(settings);
    }

    private static void checkLoggers() {
        if (LoggerFactory.getLogger(AUDIT).isInfoEnabled()) {
            LOG.warn("logger {} is on: every frame will be written to the log, slowly; set it to OFF", AUDIT);
        }
    }

    /** A failure in one round must not end the rounds. */
    private static void every(ScheduledExecutorService keeper, long millis, Runnable round) {
        keeper.scheduleWithFixedDelay(
                () -> {
                    try {
                        round.run();
                    } catch (RuntimeException | Error e) {
                        LOG.warn("broker-keeper: a round failed", e);
                    }
                },
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }

    private static Optional<String> owner(@Nullable ActiveMQServer server, String name) {
        Queue queue = server == null ? null : server.locateQueue(SimpleString.of(name));
        return queue == null
                ? Optional.empty()
                : Optional.ofNullable(queue.getUser()).map(SimpleString::toString);
    }

    private void start() throws Exception {
        if (services.pair().isPresent()) {
            services.pair().get().start(new PairService.Serving() {
                @Override
                public void prepare() {
                    intake.succeed();
                }

                @Override
                public void begin() throws Exception {
                    serve();
                }

                @Override
                public void end() {
                    network.close();
                }
            });
            return;
        }
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        server.registerActivationFailureListener(failure::set);
        server.start();
        Exception cause = failure.get();
        if (cause != null) {
            throw startFailure(cause);
        }
        serve();
    }

    private void serve() throws Exception {
        if (server.getStorageManager() instanceof ForcedStorage storage) {
            storage.noteFiles();
        }
        server.createQueue(
                QueueConfiguration.of(Addresses.BROKER)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setDurable(true)
                        .setAutoDelete(false),
                true);
        network.start();
    }

    private ServerException startFailure(Exception cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof ServerException named) {
                return named;
            }
            if (each instanceof BindException) {
                return FreePorts.cannotListen(String.valueOf(each.getMessage()), cause);
            }
        }
        return new ServerException(
                ServerException.Kind.BAD_DATA,
                "data " + settings.data() + ": the journal or what it holds cannot be loaded: " + cause,
                cause);
    }

    private static void closeFailed(@Nullable EmbeddedServer launched, DataLock lock, Exception cause) {
        try {
            if (launched == null) {
                lock.close();
            } else {
                launched.close();
            }
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }

    /** Returns the port of the first acceptor for plain core, or for parallel TCP; 0 when there is none. */
    public int port(boolean core) {
        for (int i = 0; i < settings.acceptors().size(); i++) {
            if (settings.acceptors().get(i).core() == core) {
                return services.pair().isPresent()
                        ? settings.acceptors().get(i).address().port()
                        : server.getRemotingService()
                                .getAcceptor(ServerConfiguration.acceptorName(i))
                                .getActualPort();
            }
        }
        return 0;
    }

    public boolean isRunning() {
        return services.pair().isPresent()
                ? services.pair().get().standing() != PairStanding.OVER
                : server.isStarted() && server.getPostOffice() != null;
    }

    /** Returns what this broker of a pair is; empty for a broker by itself. */
    public Optional<PairStanding> standing() {
        return services.pair().map(PairService::standing);
    }

    /** Throws when this broker cannot go on: its data are gone, or it is one of a pair that will never live. */
    public void check() throws ServerException {
        lock.requireHeld();
        if (services.pair().isPresent()) {
            services.pair().get().check();
        }
    }

    /** Returns counts since the launch and what waits now. */
    public Tally tally() {
        List<Tally.Waiting> waiting = new ArrayList<>();
        boolean serving = standing().map(PairStanding::isLive).orElseGet(this::isRunning);
        for (Queue queue : serving ? backlogs.subscriptions() : List.<Queue>of()) {
            String name = queue.getName().toString();
            Drops.Count dropped = backlogs.drops().of(name);
            waiting.add(new Tally.Waiting(
                    Addresses.topicOf(name),
                    Addresses.subscriptionOf(name),
                    queue.getConsumerCount() > 0,
                    queue.getMessageCount(),
                    queue.getPersistentSize(),
                    queue.getMessagesAcknowledged(),
                    dropped.pieces(),
                    dropped.bytes()));
        }
        BrokerReport report = network.report();
        return new Tally(
                intake.frames(),
                intake.bytes(),
                intake.refused(),
                intake.floor().isPaused(),
                intake.floor().freeBytes(),
                intake.floor().floorBytes(),
                waiting,
                report.links().stream().map(this::linked).toList(),
                report.failing(),
                services.limits().quotas().figures(),
                services.receipts().figures());
    }

    private Tally.Linked linked(BrokerReport.LinkReport link) {
        Drops.Count dropped = backlogs.drops().before(link.peer());
        return new Tally.Linked(link, dropped.pieces(), dropped.bytes());
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        services.keeper().shutdownNow();
        network.close();
        try (lock) {
            if (services.pair().isPresent()) {
                services.pair().get().stop();
            } else {
                server.stop(false);
            }
        } catch (Exception e) {
            LOG.warn("broker {} did not stop in order: {}", settings.name(), e.toString());
        }
        services.pair().ifPresent(PairService::close);
        services.logins().ifPresent(LoginDesk::close);
        services.witness().forEach(ExecutorService::shutdownNow);
    }
}
