package io.longhaul.broker.artemis;

import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.protocol.core.CoreRemotingConnection;
import org.apache.activemq.artemis.core.replication.ReplicationManager;
import org.apache.activemq.artemis.core.server.impl.Activation;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.apache.activemq.artemis.core.server.impl.quorum.ActivationSequenceStateMachine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has an {@link AckGate} shut from the loss of a backup until the pair's term has been moved on. */
final class MirrorGuard {
    private static final Logger LOG = LoggerFactory.getLogger(MirrorGuard.class);
    private static final long DECIDED_MILLIS = 1000;
    private final ActiveMQServerImpl server;
    private final Pair pair;

    MirrorGuard(ActiveMQServerImpl server, Pair pair) {
        this.server = server;
        this.pair = pair;
    }

    /** Returns the guard of one life of the server: what was held back in an earlier one is answered to nobody. */
    Life life() {
        return new Life();
    }

    /** Before tokens are cleared, Artemis says that the mirror has ended, or its connection is closed. */
    static boolean isWhole(ReplicationManager mirror) {
        CoreRemotingConnection backup = mirror.isStarted() ? mirror.getBackupTransportConnection() : null;
        return backup != null && backup.getTransportConnection().isOpen();
    }

    final class Life {
        private final AckGate<ReplicationManager> gate = new AckGate<>(MirrorGuard::isWhole);
        private volatile long begunIn; // term

        /** From now on the backup may come to be in sync; what was held back when one before was lost is answered first. */
        void begins(ReplicationManager mirror) throws Exception {
            if (gate.isMirrored()) {
                moveOn();
                gate.alone();
            }
            begunIn = pair.localTerm();
            gate.mirrored(mirror);
        }

        /** The mirror is over. Usually the term was moved on before; when the first copy failed, it is about to be. */
        void ended() {
            if (!gate.isMirrored()) {
                return;
            }
            if (pair.localTerm() > begunIn) {
                gate.alone();
                return;
            }
            ScheduledExecutorService scheduler = server.getScheduledPool();
            if (scheduler != null) {
                try {
                    scheduler.schedule(this::decide, DECIDED_MILLIS, TimeUnit.MILLISECONDS);
                } catch (RejectedExecutionException e) {
                    LOG.debug("the server is stopping: what is held back is answered to nobody");
                }
            }
        }

        /** Whoever is moving the term on is waited for; when nobody is, it is done here. */
        private void decide() {
            Activation activation = server.getActivation();
            boolean mirroring = activation != null && activation.getReplicationManager() != null;
            if (!gate.isMirrored() || mirroring) {
                return;
            }
            try {
                moveOn();
                gate.alone();
            } catch (Exception e) {
                LOG.warn(
                        "{} answers are held back, and the backup cannot be made stale: stops: {}",
                        gate.withheld(),
                        e.toString());
                new Thread(this::stop, "broker-pair-stop").start();
            }
        }

        /** Makes the backup stale, if nobody has. */
        private void moveOn() throws Exception {
            if (pair.localTerm() <= begunIn) {
                ActivationSequenceStateMachine.ensureSequentialAccessToNodeData(
                        server.toString(),
                        server.getNodeManager(),
                        new PairLocks(Map.of(PairConnectorFactory.PAIR, pair.id())),
                        LOG);
            }
        }

        private void stop() {
            try {
                server.stop();
            } catch (Exception e) {
                LOG.warn("did not stop in order: {}", e.toString());
            }
        }

        IOCallback gated(IOCallback answer) {
            return new IOCallback() {
                @Override
                public void done() {
                    gate.pass(answer::done);
                }

                @Override
                public void onError(int code, String text) {
                    answer.onError(code, text);
                }
            };
        }
    }
}
