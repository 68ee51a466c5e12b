package io.longhaul.agent.receive;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Has a late subscription get what archives of its topic retain: asks for a page of manifests and seals, takes them in as
 * if they had just come, a few at a time, and leaves their pieces to {@link Repairs}. Then asks for the next page.
 *
 * <p>It is asked again from the beginning at every start: what is known in the ledger is not taken in twice. Receiver
 * thread only.
 */
final class CatchUp {
    private static final long LEAST_PATIENCE_NS = 1_000_000_000L;
    private static final long MOST_PATIENCE_NS = 30_000_000_000L;
    private static final int MOST_AT_ONCE = 8;
    private static final int SILENCES_BEFORE_NOTICE = 3;

    private final ReceiverContext context;
    private final IncomingTransfers transfers;
    private final Intake intake;
    private final Outbox outbox;
    private final Announcer announcer;
    private final String subscription;
    private final long sinceMillis;
    private final Deque<RetainedAnswer.Retained> page = new ArrayDeque<>();
    private boolean done;
    private boolean asked;
    private boolean last;
    private long request;
    private long askedNs;
    private long patienceNs = LEAST_PATIENCE_NS;
    private int silences;
    private long afterOrder = -1;
    private String afterTransfer = "";
    private int taken;

    CatchUp(
            ReceiverContext context,
            IncomingTransfers transfers,
            Intake intake,
            Outbox outbox,
            Announcer announcer,
            String subscription,
            Optional<Instant> since) {
        this.context = context;
        this.transfers = transfers;
        this.intake = intake;
        this.outbox = outbox;
        this.announcer = announcer;
        this.subscription = subscription;
        this.sinceMillis = since.map(time -> Math.max(0, time.toEpochMilli())).orElse(0L);
        this.done = since.isEmpty();
    }

    /** What was taken in and is not on disk is forgotten: begins again. */
    void startOver() {
        if (last || asked || !page.isEmpty()) {
            done = false;
            last = false;
            asked = false;
            page.clear();
            afterOrder = -1;
            afterTransfer = "";
        }
    }

    /** Does what is due. */
    void tick(WriteBatch batch) {
        if (done) {
            return;
        }
        while (!page.isEmpty() && transfers.active().size() < MOST_AT_ONCE) {
            take(page.removeFirst(), batch);
        }
        long now = context.nanoTime().getAsLong();
        if (!page.isEmpty()) {
            return;
        }
        if (last) {
            done = true;
            announcer.notice("all that is retained of topic " + transfers.topic() + " is here or on its way: " + taken
                    + " transfers that were not");
        } else if (!asked || now - askedNs >= patienceNs) {
            ask(now);
        }
    }

    private void take(RetainedAnswer.Retained retained, WriteBatch batch) {
        String id = retained.manifest().transfer().toString();
        boolean known = transfers.find(id) != null || transfers.isEnded(id);
        intake.take(retained.manifest(), retained.order(), false, batch);
        Incoming incoming = transfers.find(id);
        if (incoming != null) {
            incoming.retained = true;
            intake.take(retained.seal(), 0, false, batch);
        }
        taken += known ? 0 : 1;
    }

    private void ask(long now) {
        if (asked) {
            patienceNs = Math.min(2 * patienceNs, MOST_PATIENCE_NS);
            silences++;
            if (silences == SILENCES_BEFORE_NOTICE) {
                announcer.notice("no archive of topic " + transfers.topic()
                        + " answers; what it retains is asked for until one does");
            }
        }
        asked = true;
        askedNs = now;
        request++;
        RetainedQuery query = new RetainedQuery(
                request, transfers.topic(), subscription, context.agentName(), sinceMillis, afterOrder, afterTransfer);
        outbox.offer(Addresses.holders(transfers.topic()), query, "", new OfferListener() {
            @Override
            public void safe() {}

            @Override
            public void refused(LinkException reason) {
                // the same as a question that nobody answers
            }
        });
    }

    /** Takes the first answer to the last question. */
    void answered(RetainedAnswer answer) {
        if (done || !asked || last || answer.request() != request || !page.isEmpty()) {
            return;
        }
        page.addAll(answer.transfers());
        last = !answer.more();
        asked = false;
        silences = 0;
        patienceNs = LEAST_PATIENCE_NS;
        if (!page.isEmpty()) {
            afterOrder = page.getLast().order();
            afterTransfer = page.getLast().manifest().transfer().toString();
        } else {
            last = true;
        }
    }
}
