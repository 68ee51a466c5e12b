package io.longhaul.agent.receive;

import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Has a late subscription get what archives of its topic retain: asks for a page of manifests and seals, takes them in as
 * if they had just come, a few at a time, and leaves their pieces to {@link Repairs}. Then asks for the next page.
 *
 * <h2>Design</h2>
 * What is known in the ledger is not taken in twice, so that asking from the beginning again costs little: at every
 * start, and in several passes, since a transfer may be on its way to an archive while that answers. Receiver thread
 * only.
 */
final class CatchUp {
    private static final long COLLECT_NS = 500_000_000L;
    private static final long NEXT_PASS_NS = 30_000_000_000L;
    private static final long LEAST_PATIENCE_NS = 1_000_000_000L;
    /** An archive that returns hears of no question from before. */
    private static final long MOST_PATIENCE_NS = 4_000_000_000L;
    /** What nobody has brought a piece of for so long does not hold up others. */
    private static final long STUCK_NS = 60_000_000_000L;

    private static final int MOST_AT_ONCE = 8;
    private static final int MOST_ANSWERS = 16;
    private static final int LEAST_PASSES = 2;
    private static final int SILENCES_BEFORE_NOTICE = 3;

    private final ReceiverContext context;
    private final IncomingTransfers transfers;
    private final Intake intake;
    private final Outbox outbox;
    private final Announcer announcer;
    private final RandomGenerator random;
    private final Wanted wanted;
    private final RetainedPages pages = new RetainedPages();
    private final Deque<RetainedAnswer.Retained> page = new ArrayDeque<>();
    private final List<RetainedAnswer> answers = new ArrayList<>();
    private boolean done;
    private boolean kept; // where it starts, in the ledger or in a batch
    private boolean begun;
    private boolean asked;
    private boolean unfinished;
    private long request;
    private long askedNs;
    private long answeredNs;
    private long dueNs; // of the pass
    private long patienceNs = LEAST_PATIENCE_NS;
    private int silences;
    private int passes;
    private int taken;
    private volatile boolean caughtUp; // once
    private volatile boolean underway; // a question, until the network has it: an outage must not gather repetitions

    /** What is asked, and for whom. */
    record Wanted(String subscription, Optional<CatchUpStart> start) {}

    /** Takes a source of numbers that nobody can guess: whoever knows a question's number can answer it. */
    CatchUp(
            ReceiverContext context,
            IncomingTransfers transfers,
            Intake intake,
            Outbox outbox,
            Announcer announcer,
            RandomGenerator random,
            Wanted wanted) {
        this.context = context;
        this.transfers = transfers;
        this.intake = intake;
        this.outbox = outbox;
        this.announcer = announcer;
        this.random = random;
        this.wanted = wanted;
        this.done = wanted.start().isEmpty();
        this.caughtUp = done;
        this.dueNs = context.nanoTime().getAsLong();
    }

    /** What was taken in and is not on disk is forgotten: begins again. */
    void startOver() {
        if (wanted.start().isPresent()) {
            done = false;
            caughtUp = false;
            kept = false;
            passes = 0;
            taken = 0;
            beginPass(context.nanoTime().getAsLong());
        }
    }

    private void beginPass(long atNs) {
        asked = false;
        unfinished = false;
        silences = 0;
        patienceNs = LEAST_PATIENCE_NS;
        page.clear();
        answers.clear();
        pages.rewind();
        dueNs = atNs;
    }

    /** Returns whether nothing more is to come. */
    boolean isDone() {
        return done;
    }

    /** Returns whether all that was retained was taken in at least once. Any thread. */
    boolean hasCaughtUp() {
        return caughtUp;
    }

    /**
     * Does what is due, unless it is done.
     *
     * @param flowIsEmpty tells whether nothing waits for this subscription: what does will come by itself
     */
    void tick(WriteBatch batch, BooleanSupplier flowIsEmpty) {
        long now = context.nanoTime().getAsLong();
        if (!kept) {
            wanted.start().flatMap(CatchUpStart::keep).ifPresent(batch::change);
            kept = true;
        }
        if (!begun) {
            begun = flowIsEmpty.getAsBoolean() || now - dueNs >= NEXT_PASS_NS;
            return;
        }
        while (!page.isEmpty() && isRoom(now)) {
            take(page.removeFirst(), batch);
        }
        if (now - dueNs < 0 || !page.isEmpty()) {
            return;
        }
        if (!answers.isEmpty()) {
            if (now - answeredNs >= COLLECT_NS) {
                unfinished |= answers.stream().anyMatch(RetainedAnswer::unfinished);
                page.addAll(pages.next(answers));
                answers.clear();
                asked = false;
            }
        } else if (pages.isLast()) {
            endPass(now, batch);
        } else if (!asked || now - askedNs >= patienceNs) {
            ask(now);
        }
    }

    private boolean isRoom(long now) {
        return transfers.active().stream()
                        .filter(each -> each.retained && !each.finishing && now - each.lastProgressNs < STUCK_NS)
                        .count()
                < MOST_AT_ONCE;
    }

    private void endPass(long now, WriteBatch batch) {
        passes++;
        caughtUp = true;
        done = !unfinished && passes >= LEAST_PASSES;
        if (done) {
            // not durable before what was taken in is
            wanted.start().flatMap(CatchUpStart::over).ifPresent(batch::change);
        }
        if (passes == 1 || taken > 0) {
            announcer.notice("all that is retained of topic " + transfers.topic()
                    + " is here or on its way; transfers that were not: " + taken);
        }
        taken = 0;
        beginPass(now + NEXT_PASS_NS);
    }

    private void take(RetainedAnswer.Retained retained, WriteBatch batch) {
        String id = retained.manifest().transfer().toString();
        if (transfers.find(id) != null || transfers.isEnded(id)) {
            return;
        }
        taken++;
        intake.take(retained.manifest(), retained.order(), false, batch);
        Incoming incoming = transfers.find(id);
        if (incoming != null) {
            incoming.retained = true;
            intake.take(retained.seal(), 0, false, batch);
        }
    }

    private void ask(long now) {
        if (!asked) {
            request = random.nextLong();
        } else {
            patienceNs = Math.min(2 * patienceNs, MOST_PATIENCE_NS);
            silences++;
            if (silences == SILENCES_BEFORE_NOTICE && passes == 0) {
                announcer.notice("no archive of topic " + transfers.topic()
                        + " answers; what it retains is asked for until one does");
            }
        }
        asked = true;
        askedNs = now;
        RetainedQuery query = new RetainedQuery(
                request,
                transfers.topic(),
                wanted.subscription(),
                context.agentName(),
                wanted.start().map(start -> millis(start.time())).orElse(0L),
                wanted.start()
                        .filter(CatchUpStart::isCounted)
                        .map(start -> context.clock().millis())
                        .orElse(0L),
                pages.afterOrder(),
                pages.afterTransfer(),
                "");
        if (!underway) {
            underway = true;
            // a refusal is the same as a question that nobody answers
            outbox.offer(
                    Addresses.holders(transfers.topic()), query, "", OfferListener.whenOver(() -> underway = false));
        }
    }

    /** A time that milliseconds cannot count is before or after everything. */
    private static long millis(Instant since) {
        if (since.isBefore(Instant.EPOCH)) {
            return 0;
        }
        return since.isBefore(Instant.ofEpochMilli(Long.MAX_VALUE)) ? since.toEpochMilli() : Long.MAX_VALUE;
    }

    /** Takes an answer to the last question. */
    void answered(RetainedAnswer answer) {
        if (done || !asked || answer.request() != request || answers.size() == MOST_ANSWERS) {
            return;
        }
        if (answers.isEmpty()) {
            answeredNs = context.nanoTime().getAsLong();
            silences = 0;
            patienceNs = LEAST_PATIENCE_NS;
        }
        answers.add(answer);
    }
}
