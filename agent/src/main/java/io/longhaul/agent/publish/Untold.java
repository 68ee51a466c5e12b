package io.longhaul.agent.publish;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completed transfers whose end nobody may have heard of: those that have the mark of a session that did not close. Such
 * a one answers the same request once more, so that a kill between the last commit and the caller's ear does not send a file
 * twice. The mark goes soon after the caller was told, and that of what belongs to a job with the session.
 *
 * <p>A session is the time between the opening and the closing of a publisher; each has a number. Not thread-safe.
 */
final class Untold {
    private static final Logger LOG = LoggerFactory.getLogger(Untold.class);
    private static final String SESSION = "publisher.session";
    private static final String CLOSED = "publisher.closed-session";
    /** No transfer that was completed since the last session that closed has a lesser key. */
    private static final String FIRST = "publisher.first-key";

    private final Ledger ledger;
    private final long session;
    private final long closed;
    private final long firstKey;
    private final Map<String, TransferRow> bySameness = new HashMap<>();

    private Untold(Ledger ledger, long session, long closed, long firstKey) {
        this.ledger = ledger;
        this.session = session;
        this.closed = closed;
        this.firstKey = firstKey;
    }

    static Untold open(Ledger ledger) {
        long session = number(ledger, SESSION) + 1;
        long closed = number(ledger, CLOSED);
        long leastKey = leastKey(ledger);
        // a ledger that lost rows gives keys anew
        long firstKey = session == closed + 1 ? leastKey : Math.min(leastKey, number(ledger, FIRST));
        // Nobody waits for it: whatever this session completes is committed later.
        ledger.commit(List.of(
                new LedgerChange.PutSetting(SESSION, Long.toString(session)),
                new LedgerChange.PutSetting(FIRST, Long.toString(firstKey))));
        return new Untold(ledger, session, closed, firstKey);
    }

    /** Returns a key that is not greater than that of any transfer which can be completed from now on. */
    private static long leastKey(Ledger ledger) {
        AtomicLong least = new AtomicLong(ledger.newKey());
        ledger.forEachOutgoing(TransferState.UNFINISHED_OUTGOING, row -> least.accumulateAndGet(row.key(), Math::min));
        return least.get();
    }

    private static long number(Ledger ledger, String setting) {
        return ledger.setting(setting).map(Long::parseLong).orElse(0L);
    }

    /** Returns the number of this session, which what it completes is marked with. */
    long session() {
        return session;
    }

    /** Looks for those of earlier sessions, unless the last one closed: then all were told. */
    void look() {
        if (session > closed + 1) {
            ledger.forEachTransfer(Direction.OUTGOING, firstKey, this::consider);
        }
    }

    /** Of several for one request the later counts, for good. */
    private void consider(TransferRow row) {
        if (row.state() == TransferState.COMPLETED
                && !row.path().isEmpty()
                && !row.seal().isEmpty()
                && OutgoingDetail.parse(row.detail()).session() > closed) {
            supersede(Intake.sameness(row));
            bySameness.put(Intake.sameness(row), row);
        }
    }

    /** Returns what may answer a request; null when nothing does. */
    @Nullable
    TransferRow find(String sameness) {
        return bySameness.get(sameness);
    }

    /** Forgets, in this session, what has answered a request. */
    void take(String sameness) {
        bySameness.remove(sameness);
    }

    /** Forgets for good what does not answer a request, since a newer transfer does. */
    void supersede(String sameness) {
        TransferRow row = bySameness.remove(sameness);
        if (row != null) {
            OutgoingRecord.found(ledger, row).told();
        }
    }

    /** The session closes in order: whoever published knows by now, or will not ask. */
    void close() {
        try {
            PatientCommit.join(ledger.commit(List.of(new LedgerChange.PutSetting(CLOSED, Long.toString(session)))));
        } catch (StorageException e) {
            LOG.debug("the end of session {} is not recorded", session, e);
        }
    }
}
