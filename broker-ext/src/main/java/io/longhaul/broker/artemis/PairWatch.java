package io.longhaul.broker.artemis;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.Activation;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches what becomes of one broker of a pair, says so, and gives signs of life; on a thread of its own. */
final class PairWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PairWatch.class);
    private static final long LOOK_MILLIS = 100;
    private static final long BEAT_MILLIS = 300;

    /** How often a partner is asked, where there is no witness, whether it lives too. */
    private static final long QUESTION_MILLIS = 2000;

    /** Artemis stops a backup and starts it again by itself, which takes a while. */
    private static final int LOOKS_UNTIL_OVER = 300;

    private final Pair pair;
    private final ActiveMQServerImpl server;
    private final String name;
    private final QuietLog log = new QuietLog(LOG, System::nanoTime);
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(new NamedThreads("broker-pair-1"));
    private final ScheduledExecutorService beats =
            Executors.newSingleThreadScheduledExecutor(new NamedThreads("broker-pair-2"));
    private volatile PairStanding standing = PairStanding.STARTING;
    private volatile boolean serving;
    private volatile boolean served;
    private int stopped; // of the first thread only
    private @Nullable Activation followed; // of the first thread only; in which the backup was in sync last

    PairWatch(Pair pair, ActiveMQServerImpl server, String name) {
        this.pair = pair;
        this.server = server;
        this.name = name;
    }

    void start() {
        looks.scheduleWithFixedDelay(() -> safely("look", this::look), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        long beatMillis = pair.isWitnessed() ? BEAT_MILLIS : QUESTION_MILLIS;
        beats.scheduleWithFixedDelay(
                () -> safely("sign of life", pair::beat), beatMillis, beatMillis, TimeUnit.MILLISECONDS);
    }

    /** A failure in one round must not end the rounds. */
    private void safely(String what, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.warn("pair-" + what, "pair " + name + ": a " + what + " failed: " + e);
            LOG.debug("pair {}: a {} failed", name, what, e);
        }
    }

    /** Runs something after what is being looked at. */
    void execute(Runnable task) {
        looks.execute(task);
    }

    /** Says whether agents and other brokers are served. */
    void serving(boolean now) {
        serving = now;
        served |= now;
    }

    PairStanding standing() {
        return standing;
    }

    private void look() {
        if (pair.isClosed()) {
            return;
        }
        boolean over = pair.failure() != null || server.getState() == ActiveMQServer.SERVER_STATE.STOPPED;
        stopped = over ? stopped + 1 : 0;
        boolean ended = stopped >= (served ? 1 : LOOKS_UNTIL_OVER);
        PairStanding now = ended ? PairStanding.OVER : found();
        if (now == PairStanding.BACKUP) {
            pair.follows();
        }
        if (now != standing) {
            say(now);
            standing = now;
        }
    }

    private PairStanding found() {
        if (server.getState() != ActiveMQServer.SERVER_STATE.STARTED) {
            return standing == PairStanding.OVER ? PairStanding.OVER : PairStanding.STARTING;
        }
        Activation activation = server.getActivation();
        boolean inSync = activation != null && activation.isReplicaSync();
        if (serving) {
            return inSync ? PairStanding.PRIMARY : PairStanding.ALONE;
        }
        if (!server.getHAPolicy().isBackup() || pair.isChosen()) {
            return PairStanding.STARTING;
        }
        if (inSync) {
            followed = activation;
            return PairStanding.BACKUP;
        }
        // one that was in sync and is not any more takes over, or may not, or is started anew with another activation
        boolean between = activation != null && activation == followed && !pair.isHeldBack();
        return between || pair.awaitsDecision() ? PairStanding.STARTING : PairStanding.COPYING;
    }

    private void say(PairStanding now) {
        switch (now) {
            case PRIMARY ->
                LOG.info("pair {}: in sync with its backup {}: what is acknowledged is at both", name, pair.where());
            case ALONE -> LOG.warn("pair {}: lives alone: there is no backup in sync", name);
            case BACKUP ->
                LOG.info(
                        "pair {}: backup of {}, in sync; it takes over {}",
                        name,
                        pair.where(),
                        pair.isWitnessed() ? "when the witness agrees" : "on the operator's word only: no --witness");
            case COPYING -> LOG.info("pair {}: backup of {}, not in sync", name, pair.where());
            case OVER -> LOG.warn("pair {}: has stopped living", name);
            case STARTING -> LOG.debug("pair {}: between two lives", name);
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
        beats.shutdownNow();
    }
}
