package io.longhaul.broker.artemis;

import io.longhaul.broker.file.KeptLines;
import io.longhaul.broker.witness.Arbiter;
import io.longhaul.broker.witness.WitnessException;
import io.longhaul.ptcp.artemis.PtcpParameters;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.artemis.core.server.NodeManager;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this broker knows of the pair that it is one of, and whether it may live.
 *
 * <h2>Design</h2>
 * Artemis keeps the copy and counts terms; it asks who may live through {@link PairLocks}, which it makes by name, so that
 * pairs are found by an identity of their own. What is added here is who may not even ask:
 * <ul>
 *   <li>A backup that was started anew. What it confirmed was written but not forced: after a power loss of both machines
 *       the primary has all of it, and the backup perhaps not. It waits for the primary, or for the operator.
 *   <li>A backup without a witness, unless the operator says so.
 * </ul>
 * A backup that lives on forces its copy before it takes over.
 */
final class Pair implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Pair.class);
    private static final Map<String, Pair> KNOWN = new ConcurrentHashMap<>();

    /** What an operator's word outweighs: a primary that lived alone counts in ones. */
    private static final long WORD = 1_000_000;

    private static final String LIVE = "live";
    private static final String BACKUP = "backup";

    private final String id = UUID.randomUUID().toString();
    private final ServerSettings settings;
    private final PairTerms terms;
    private final PairSecret secret;
    private final KeptLines note;
    private final List<Runnable> deposed = new CopyOnWriteArrayList<>();
    private volatile @Nullable Arbiter arbiter;
    private volatile @Nullable ActiveMQServerImpl server;
    private volatile @Nullable WitnessException failure;
    private volatile boolean closed;
    private volatile @Nullable String claimed;
    private volatile boolean undecided; // whether it was not to be found out when that was asked last
    private boolean livedLast; // guarded by this; whether its data are those of a primary
    private long discardedTerm = Long.MAX_VALUE; // guarded by this; of its data that made way for a copy
    private boolean copied; // guarded by this; whether that copy, or one before it, is whole
    private boolean ordered; // guarded by this; whether the operator's word is still to be followed
    private boolean said; // guarded by this; that it does not take over

    private Pair(ServerSettings settings, PairTerms terms, KeptLines note, boolean livedLast) {
        this.settings = settings;
        this.terms = terms;
        this.secret = PairSecret.of(settings.name(), terms);
        this.note = note;
        this.livedLast = livedLast;
        this.ordered = terms.takeOver();
    }

    /** Reads what this broker was last. */
    static Pair open(ServerSettings settings, PairTerms terms) throws IOException {
        KeptLines note = note(settings);
        Pair pair = new Pair(settings, terms, note, livedLast(note, terms));
        KNOWN.put(pair.id, pair);
        KNOWN.put(settings.name(), pair);
        return pair;
    }

    /** Returns whether a broker that is started may ever live on the data that it has; else a copy takes their place. */
    static boolean livesOnItsData(ServerSettings settings, PairTerms terms) throws IOException {
        return terms.takeOver() || livedLast(note(settings), terms);
    }

    private static KeptLines note(ServerSettings settings) {
        return new KeptLines(settings.data().resolve("pair"), "pair");
    }

    private static boolean livedLast(KeptLines note, PairTerms terms) throws IOException {
        List<String> lines = note.read();
        return lines.isEmpty() ? !terms.backup() : lines.get(0).equals(LIVE);
    }

    /** Returns one by its identity, or by the name that it shares with its partner: a process has one of the two. */
    static Pair of(String id) {
        Pair pair = KNOWN.get(id);
        if (pair == null) {
            throw new IllegalStateException("the broker of pair " + id + " was closed");
        }
        return pair;
    }

    /** Says who decides, and for which server. Before anything is asked. */
    void use(Arbiter decides, ActiveMQServerImpl of) {
        arbiter = decides;
        server = of;
    }

    String id() {
        return id;
    }

    String name() {
        return settings.name();
    }

    boolean isBackup() {
        return terms.backup();
    }

    boolean isWitnessed() {
        return terms.witness().isPresent();
    }

    PtcpParameters partner() {
        return terms.partner();
    }

    PairSecret secret() {
        return secret;
    }

    String where() {
        return terms.partner().place();
    }

    Arbiter arbiter() {
        Arbiter decides = arbiter;
        if (decides == null) {
            throw new IllegalStateException("nobody decides for pair " + id + " yet");
        }
        return decides;
    }

    /** Returns the term of this broker's data; 0 when there is none. */
    long localTerm() {
        ActiveMQServerImpl of = server;
        NodeManager nodes = of == null ? null : of.getNodeManager();
        return nodes == null ? 0 : Math.max(0, nodes.getNodeActivationSequence());
    }

    /** Returns whether it can be decided now who lives. Throws when it never can. */
    boolean isDecidable() throws WitnessException, InterruptedException {
        if (closed) {
            throw new InterruptedException("the broker is closing");
        }
        undecided = !arbiter().isReachable();
        if (undecided) {
            return false;
        }
        follow();
        return true;
    }

    /** Does what the operator's word needs: once, and before terms are compared. */
    private synchronized void follow() throws WitnessException, InterruptedException {
        ActiveMQServerImpl of = server;
        NodeManager nodes = of == null ? null : of.getNodeManager();
        if (!ordered || livedLast && !isWitnessed() || nodes == null || nodes.getNodeId() == null) {
            return;
        }
        String node = nodes.getNodeId().toString();
        long local = localTerm();
        long term = arbiter().term(node);
        if (local == 0) {
            ordered = false;
            LOG.error("pair {}: does not take over: there is no copy of its partner's data here", settings.name());
        } else if (Math.abs(term) > local) {
            ordered = false;
            LOG.error(
                    "pair {}: does not take over: its copy is of term {}, and {} has gone on alone to term {}",
                    settings.name(),
                    local,
                    where(),
                    Math.abs(term));
        } else if (arbiter().claim(node)) {
            long next = isWitnessed() ? local : (local / WORD + 1) * WORD;
            nodes.writeNodeActivationSequence(next);
            arbiter().set(node, next);
            LOG.warn(
                    "pair {}: takes over on the operator's word, in term {}; what {} acknowledged alone, if it did, is not"
                            + " here",
                    settings.name(),
                    next,
                    where());
        }
    }

    /** Returns whether this broker may ask to live; says once why not. */
    synchronized boolean mayLive() {
        // a copy's term counts once it is whole, which may be but a moment before the primary is lost; until then the
        // old one does
        copied |= localTerm() > discardedTerm;
        boolean may = !closed && (livedLast || copied && isWitnessed() || ordered);
        if (!may && !said && !closed) {
            said = true;
            LOG.warn(
                    "pair {}: {} is lost, and this backup does not take over: {}. Start {} again; or, when it is gone for"
                            + " good, start this broker again with --take-over",
                    settings.name(),
                    where(),
                    isWitnessed()
                            ? "it was started anew itself, so that it cannot know whether its copy is whole"
                            : "there is no --witness to decide",
                    where());
        }
        return may;
    }

    /** Returns whether it was to live, and does not: there is nobody to copy from, and it stays as it is. */
    synchronized boolean isHeldBack() {
        return said;
    }

    /** Returns whether it has a whole copy and may live, and only nobody can be asked who decides. */
    synchronized boolean awaitsDecision() {
        return undecided && copied && isWitnessed();
    }

    boolean claim(String node) throws WitnessException, InterruptedException {
        boolean mine = arbiter().claim(node);
        if (mine) {
            claimed = node;
        }
        return mine;
    }

    /** The claim was granted: makes sure that what this broker has is on its disk. Returns whether it is. */
    synchronized boolean begin() {
        try {
            if (!livedLast) {
                ForcedCopy.force(ServerConfiguration.directories(settings));
            }
            note.write(List.of(LIVE));
            livedLast = true;
            ordered = false;
            said = false;
            return true;
        } catch (IOException e) {
            LOG.error(
                    "pair {}: does not take over: its copy cannot be forced to disk: {}",
                    settings.name(),
                    e.toString());
            giveUp();
            return false;
        }
    }

    /** Returns whether it was granted to live, or asks for it just now. */
    boolean isChosen() {
        return claimed != null;
    }

    /** It is a backup, and in sync. */
    synchronized void follows() {
        copied = true;
        said = false;
    }

    /**
     * Its data are about to make way for a copy. Only then it has not lived last any more: until then it may still be
     * finding out that nobody else lives.
     */
    synchronized void discards() {
        discardedTerm = localTerm();
        if (livedLast) {
            livedLast = false;
            try {
                note.write(List.of(BACKUP));
            } catch (IOException e) {
                LOG.warn("pair {}: cannot note that it is a backup: {}", settings.name(), e.toString());
            }
        }
    }

    long term(String node) throws WitnessException, InterruptedException {
        return arbiter().term(node);
    }

    void giveUp() {
        String node = claimed;
        claimed = null;
        deposed.clear();
        if (node != null) {
            arbiter().release(node);
        }
    }

    void onDeposed(Runnable task) {
        deposed.add(task);
    }

    /** Gives a sign of life, and finds out whether another one lives by right. */
    void beat() {
        String node = claimed;
        if (node == null) {
            return;
        }
        try {
            if (isWitnessed() && arbiter().claim(node)) {
                return;
            }
            long term = Math.abs(arbiter().term(node));
            if (term > localTerm() && localTerm() > 0) {
                LOG.warn(
                        "pair {}: {} lives in term {}, later than this broker's {}: steps down",
                        settings.name(),
                        where(),
                        term,
                        localTerm());
                List<Runnable> tasks = List.copyOf(deposed);
                deposed.clear();
                tasks.forEach(Runnable::run);
            }
        } catch (WitnessException e) {
            LOG.debug("pair {}: {}", settings.name(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void failed(WitnessException cause) {
        failure = cause;
    }

    /** Returns why it will never be decided who lives; null when it may. */
    @Nullable
    WitnessException failure() {
        return failure;
    }

    /** Whoever waits to be decided upon waits no longer. */
    void stopAsking() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        Arbiter decides = arbiter;
        if (decides != null) {
            decides.close();
        }
    }

    /** Nobody asks for it any more. */
    void forget() {
        KNOWN.remove(id);
        KNOWN.remove(settings.name(), this);
    }
}
