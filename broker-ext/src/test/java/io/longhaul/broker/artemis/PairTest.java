package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.file.KeptLines;
import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.witness.Arbiter;
import io.longhaul.broker.witness.WitnessArbiter;
import io.longhaul.broker.witness.WitnessClient;
import io.longhaul.broker.witness.WitnessException;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.activemq.artemis.core.server.NodeManager;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.apache.activemq.artemis.core.server.impl.InVMNodeManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairTest {
    @TempDir
    Path directory;

    private Pair open() throws IOException {
        Pair pair = open(false);
        pair.forget();
        return pair;
    }

    private Pair open(boolean takeOver) throws IOException {
        PtcpParameters place = PtcpParameters.of(Map.of("host", "127.0.0.1", "port", 1));
        PairTerms terms = new PairTerms(true, place, Optional.of(place), "", "", takeOver);
        return Pair.open(
                new ServerSettings(
                        "hub",
                        directory,
                        List.of(),
                        false,
                        ServerSettings.Memory.of(1 << 29),
                        new ServerSettings.Limits(1, 1, new Limit(0, 0, 0, 0), List.of()),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        0,
                        false,
                        Optional.of(terms)),
                terms);
    }

    @Test
    void shouldLiveAgainWhenItLivedLastAlthoughItIsStartedAsBackup() throws IOException {
        // given
        assertThat(open().mayLive()).isFalse();
        new KeptLines(directory.resolve("pair"), "pair").write(List.of("live"));

        // when
        Pair pair = open();

        // then
        assertThat(pair.mayLive()).isTrue();
    }

    @Test
    void shouldBeHeldBackFromWhenItMayNotLiveUntilItIsInSync() throws IOException {
        // given
        Pair pair = open();
        assertThat(pair.isHeldBack()).isFalse();

        // when, then
        assertThat(pair.mayLive()).isFalse();
        assertThat(pair.isHeldBack()).isTrue();

        // when, then
        pair.follows();
        assertThat(pair.isHeldBack()).isFalse();
    }

    @Test
    void shouldNotLiveOnDataThatMadeWayForACopyUntilItIsInSync() throws IOException {
        // given
        new KeptLines(directory.resolve("pair"), "pair").write(List.of("live"));
        Pair pair = open();

        // when
        pair.discards();

        // then
        assertThat(pair.mayLive()).isFalse();
        assertThat(open().mayLive()).isFalse();
        pair.follows();
        assertThat(pair.mayLive()).isTrue();
    }

    /** A server whose data are in a term. */
    private static ActiveMQServerImpl server(long term) {
        NodeManager nodes = new InVMNodeManager(false);
        nodes.setNodeActivationSequence(term);
        return new ActiveMQServerImpl() {
            @Override
            public NodeManager getNodeManager() {
                return nodes;
            }
        };
    }

    @Test
    void shouldLiveOnACopyThatBecameWholeAMomentBeforeThePrimaryWasLost() throws IOException {
        // given
        Witness witness = new Witness(new AtomicBoolean(true));
        Pair pair = open();
        pair.use(witness, server(3));
        assertThat(pair.mayLive()).as("what it had before this process").isFalse();

        // when then
        pair.discards();
        pair.use(witness, server(0));
        assertThat(pair.mayLive()).as("part of a copy").isFalse();

        // when then
        pair.use(witness, server(4));
        assertThat(pair.mayLive()).isTrue();
    }

    /** The term of what it had stays on its disk while it copies. */
    @Test
    void shouldNotTakeTheTermOfWhatItHadForThatOfItsCopy() throws IOException {
        // given
        Pair pair = open();
        pair.use(new Witness(new AtomicBoolean(true)), server(3));

        // when
        pair.discards();

        // then
        assertThat(pair.mayLive()).isFalse();
        pair.discards();
        assertThat(pair.mayLive()).as("after another try").isFalse();
    }

    /** A witness that can be asked or not. */
    private record Witness(AtomicBoolean reachable) implements Arbiter {
        @Override
        public boolean isReachable() {
            return reachable.get();
        }

        @Override
        public boolean claim(String node) {
            return false;
        }

        @Override
        public void release(String node) {}

        @Override
        public long term(String node) {
            return 0;
        }

        @Override
        public void set(String node, long term) {}

        @Override
        public boolean swap(String node, long expected, long term) {
            return false;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldAwaitADecisionWhenItWasInSyncAndTheWitnessCannotBeAsked() throws Exception {
        // given
        AtomicBoolean reachable = new AtomicBoolean();
        Pair pair = open();
        pair.use(new Witness(reachable), new ActiveMQServerImpl());

        // when then
        pair.isDecidable();
        assertThat(pair.awaitsDecision()).isFalse();

        // when then
        pair.follows();
        assertThat(pair.awaitsDecision()).isTrue();

        // when then
        reachable.set(true);
        pair.isDecidable();
        assertThat(pair.awaitsDecision()).isFalse();
    }

    /** Its line to the witness is lost between one question and the next. */
    @Test
    void shouldGoOnAskingWhenTheWitnessIsLostWhileAnOperatorsWordIsFollowed() throws Exception {
        // given
        Witness witness = new Witness(new AtomicBoolean(true));
        ActiveMQServerImpl server = server(3);
        server.getNodeManager().setNodeID(UUID.randomUUID().toString());
        Pair pair = open(true);
        try (PtcpClient sessions = PtcpClient.launch("asker", 1)) {
            WitnessClient gone = new WitnessClient(sessions, () -> PtcpClient.Target.plain("127.0.0.1", 1), "", "");
            gone.close();
            AtomicBoolean lost = new AtomicBoolean(true);
            pair.use(new LostWitness(new WitnessArbiter(gone, "hub", "127.0.0.1:1"), witness, lost), server);
            PairLocks locks = new PairLocks(Map.of(PairConnectorFactory.PAIR, pair.id()));

            // when
            locks.start();

            // then
            assertThat(lost).isFalse();
            assertThat(locks.isStarted()).isTrue();
            assertThat(pair.failure()).isNull();
        } finally {
            pair.forget();
        }
    }

    /** A witness that fails to tell the term once. */
    private record LostWitness(Arbiter gone, Arbiter there, AtomicBoolean lost) implements Arbiter {
        @Override
        public boolean isReachable() throws WitnessException, InterruptedException {
            return there.isReachable();
        }

        @Override
        public boolean claim(String node) throws WitnessException, InterruptedException {
            return there.claim(node);
        }

        @Override
        public void release(String node) {
            there.release(node);
        }

        @Override
        public long term(String node) throws WitnessException, InterruptedException {
            return lost.getAndSet(false) ? gone.term(node) : there.term(node);
        }

        @Override
        public void set(String node, long term) throws WitnessException, InterruptedException {
            there.set(node, term);
        }

        @Override
        public boolean swap(String node, long expected, long term) throws WitnessException, InterruptedException {
            return there.swap(node, expected, term);
        }

        @Override
        public void close() {
            there.close();
        }
    }
}
