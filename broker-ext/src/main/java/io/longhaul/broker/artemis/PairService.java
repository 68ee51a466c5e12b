package io.longhaul.broker.artemis;

import io.longhaul.broker.witness.Arbiter;
import io.longhaul.broker.witness.LoneArbiter;
import io.longhaul.broker.witness.WitnessArbiter;
import io.longhaul.broker.witness.WitnessClient;
import io.longhaul.broker.witness.WitnessDesk;
import io.longhaul.broker.witness.WitnessException;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One broker of a pair as it lives: waits to be decided upon, copies or is copied, serves while it lives. */
final class PairService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PairService.class);

    private final Pair pair;
    private final ForcedServer server;
    private final PtcpClient client;
    private final PairWatch watch;
    private final String name;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /** What is done when the broker begins to live, before and after it listens, and when it ends to. */
    interface Serving {
        void prepare();

        void begin() throws Exception;

        void end();
    }

    private PairService(Pair pair, ForcedServer server, PtcpClient client, String name) {
        this.pair = pair;
        this.server = server;
        this.client = client;
        this.watch = new PairWatch(pair, server, name);
        this.name = name;
    }

    /** Makes it for a server that is not started. */
    static PairService of(ServerSettings settings, Pair pair, PairTerms terms, ForcedServer server, WitnessDesk desk) {
        PtcpClient client = PtcpClient.launch("broker-pair", 1);
        PairService service = new PairService(pair, server, client, settings.name());
        Arbiter arbiter = terms.witness().isPresent()
                ? new WitnessArbiter(
                        service.asks(terms.witness().get(), terms),
                        settings.name(),
                        terms.witness().get().place())
                : new LoneArbiter(desk, service.asks(terms.partner(), terms), settings.name(), pair::localTerm);
        pair.use(arbiter, server);
        server.guard(new MirrorGuard(server, pair));
        server.beforeCopying(pair::discards);
        return service;
    }

    private WitnessClient asks(PtcpParameters place, PairTerms terms) {
        return new WitnessClient(
                client, () -> place.target(System.getenv(), ForkJoinPool.commonPool()), terms.user(), terms.password());
    }

    /** Begins; returns at once. */
    void start(Serving serving) {
        server.registerActivationFailureListener(failure::set);
        server.registerActivateCallback(
                new PairLife(watch::execute, () -> prepare(serving), () -> begin(serving), () -> {
                    watch.serving(false);
                    serving.end();
                }));
        watch.start();
        new NamedThreads("broker-pair-start").newThread(this::run).start();
    }

    private void run() {
        try {
            server.start();
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Artemis says nothing of what fails when a backup takes over. */
    private void prepare(Serving serving) {
        try {
            serving.prepare();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    private void begin(Serving serving) {
        try {
            serving.begin();
            watch.serving(true);
        } catch (Exception e) {
            LOG.error("pair {}: cannot serve: {}", name, e.toString());
            failure.compareAndSet(null, e);
        }
    }

    PairStanding standing() {
        return isUndecided(failure.get()) ? PairStanding.OVER : watch.standing();
    }

    /** The witness may be lost while it is asked at a start, too: whoever launches this broker anew waits for it then. */
    static boolean isUndecided(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof WitnessException asked) {
                return asked.kind() != WitnessException.Kind.REFUSED;
            }
        }
        return false;
    }

    /** Throws when it will never live. */
    void check() throws ServerException {
        WitnessException refused = pair.failure();
        if (refused != null) {
            throw new ServerException(
                    ServerException.Kind.BAD_CONFIG, "pair " + name + ": " + refused.getMessage(), refused);
        }
        Exception cause = failure.get();
        if (cause instanceof ServerException named) {
            throw named;
        }
        if (cause != null && !isUndecided(cause)) {
            throw new ServerException(
                    ServerException.Kind.BAD_DATA, "broker " + name + " of a pair cannot live: " + cause, cause);
        }
    }

    /** Hands over to the backup, if there is one in sync, and stops the server. */
    void stop() throws Exception {
        pair.stopAsking();
        synchronized (server) {
            // whatever start or restart is on its way has ended: it holds this lock, and asks for nothing any more
            LOG.debug("pair {}: stops", name);
        }
        server.fail(watch.standing() == PairStanding.PRIMARY);
    }

    @Override
    public void close() {
        watch.close();
        pair.close();
        pair.forget();
        client.close();
    }
}
