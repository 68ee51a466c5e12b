package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.storage.LedgerChange;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Names;
import io.longhaul.wire.Piece;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import io.longhaul.wire.TransferId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks holders for the manifest of each transfer of which something else has come, and for the seal of each that waits for
 * it in vain: each is one message, which may have been damaged or lost on the way.
 *
 * <p>One who knows both answers, a publisher once the transfer is sealed. Answers are collected for half a second, and the
 * one with the greatest order counts: a publisher does not know it. The question is repeated after 1 s, doubling up to 30 s, one
 * every 50 ms at most. Receiver thread only.
 */
final class ManifestAsker {
    static final long COLLECT_NS = 500_000_000L;
    /** How long a transfer must stand still before its seal is looked for. */
    static final long STILL_NS = 10_000_000_000L;

    private static final long TICK_NS = 50_000_000L;
    private static final long ANSWERED_WITHIN_NS = 2_000_000_000L;
    private static final long LEAST_PATIENCE_NS = 1_000_000_000L;
    private static final long MOST_PATIENCE_NS = 30_000_000_000L;
    private static final int ASKED_BEFORE_NOTICE = 3;

    private final ReceiverContext context;
    private final IncomingTransfers transfers;
    private final Outbox outbox;
    private final Announcer announcer;
    private final String subscription;
    private final RandomGenerator random;
    private final Map<String, Question> questions = new HashMap<>(); // by transfer
    private long tickedNs;
    private long askedNs;

    private static final class Question {
        final long request;
        long dueNs;
        long patienceNs = LEAST_PATIENCE_NS;
        long answeredNs;
        int asked;
        volatile boolean underway; // until the network has it: an outage must not gather repetitions
        RetainedAnswer.@Nullable Retained best;

        Question(long request, long dueNs) {
            this.request = request;
            this.dueNs = dueNs;
        }
    }

    /** Takes a source of numbers that nobody can guess: whoever knows a question's number can answer it. */
    ManifestAsker(
            ReceiverContext context,
            IncomingTransfers transfers,
            Outbox outbox,
            Announcer announcer,
            String subscription,
            RandomGenerator random) {
        this.context = context;
        this.transfers = transfers;
        this.outbox = outbox;
        this.announcer = announcer;
        this.subscription = subscription;
        this.random = random;
        this.tickedNs = now() - TICK_NS;
        this.askedNs = now() - ANSWERED_WITHIN_NS;
    }

    private long now() {
        return context.nanoTime().getAsLong();
    }

    /** Takes the news of a message that could not be decoded: whatever it was is missing now. */
    void damaged(Delivery delivery, WriteBatch batch) {
        announcer.notice("a damaged message was dropped on topic " + transfers.topic() + ", transfer "
                + delivery.transferHint().map(Names::shown).orElse("unknown") + ": " + delivery.fault());
        delivery.transferHint().filter(TransferId::isValid).ifPresent(id -> {
            Incoming incoming = transfers.find(id);
            if (incoming == null) {
                remember(id, delivery.order(), batch);
            } else {
                incoming.sealInDoubt = incoming.seal == null;
            }
        });
    }

    /** Takes the news that a piece whose manifest has not come is acknowledged and gone. */
    void dropped(Piece piece, WriteBatch batch) {
        remember(piece.header().transfer().toString(), 0, batch);
    }

    private void remember(String id, long order, WriteBatch batch) {
        if (transfers.find(id) == null && !transfers.isEnded(id)) {
            transfers.remember(id, order).ifPresent(row -> batch.change(new LedgerChange.PutTransfer(row)));
        }
    }

    /** Whether an answer may come any moment. */
    boolean isBusy() {
        return !questions.isEmpty() && now() - askedNs < ANSWERED_WITHIN_NS;
    }

    /**
     * Does what is due; returns what was found, to be taken in as if it had come.
     *
     * @param flowIsEmpty tells whether nothing waits for this subscription: what does will come by itself
     */
    List<RetainedAnswer.Retained> tick(BooleanSupplier flowIsEmpty) {
        long now = now();
        if (now - tickedNs < TICK_NS) {
            return List.of();
        }
        tickedNs = now;
        Set<String> wanted = wanted(now, flowIsEmpty);
        questions.keySet().retainAll(wanted);
        List<RetainedAnswer.Retained> found = new ArrayList<>();
        // whose turn has been due for longest: each has one, however many there are
        Map.Entry<String, Question> next = null;
        for (String id : wanted) {
            Question question = questions.computeIfAbsent(id, i -> new Question(random.nextLong(), now));
            RetainedAnswer.Retained best = question.best;
            if (best != null) {
                if (now - question.answeredNs >= COLLECT_NS) {
                    found.add(best);
                    questions.remove(id);
                }
            } else if (!question.underway
                    && now - question.dueNs >= 0
                    && (next == null || question.dueNs - next.getValue().dueNs < 0)) {
                next = Map.entry(id, question);
            }
        }
        if (next != null && now - askedNs >= TICK_NS) {
            ask(next.getKey(), next.getValue(), now);
        }
        return found;
    }

    private Set<String> wanted(long now, BooleanSupplier flowIsEmpty) {
        Set<String> wanted = new LinkedHashSet<>(transfers.unseen());
        for (Incoming each : transfers.active()) {
            boolean still = now - each.lastProgressNs >= STILL_NS;
            if (each.seal == null
                    && (each.sealInDoubt
                            || still && (questions.containsKey(each.id()) || flowIsEmpty.getAsBoolean()))) {
                wanted.add(each.id());
            }
        }
        return wanted;
    }

    private void ask(String id, Question question, long now) {
        askedNs = now;
        question.dueNs = now + question.patienceNs;
        question.patienceNs = Math.min(2 * question.patienceNs, MOST_PATIENCE_NS);
        question.asked++;
        if (question.asked == ASKED_BEFORE_NOTICE && transfers.find(id) == null) {
            announcer.notice("the manifest of transfer " + id
                    + " has not come and nobody sends it again; asking until somebody does");
        }
        RetainedQuery query = RetainedQuery.of(
                question.request, transfers.topic(), subscription, context.agentName(), TransferId.parse(id));
        question.underway = true;
        // a refusal is the same as a question that nobody answers
        outbox.offer(
                Addresses.holders(transfers.topic()),
                query,
                "",
                OfferListener.whenOver(() -> question.underway = false));
    }

    /** Takes an answer, if it is one to a question of these. */
    void answered(RetainedAnswer answer) {
        for (RetainedAnswer.Retained each : answer.transfers()) {
            Question question = questions.get(each.manifest().transfer().toString());
            if (question != null && question.request == answer.request()) {
                RetainedAnswer.Retained best = question.best;
                if (best == null) {
                    question.answeredNs = now();
                    announcer.notice(
                            "manifest and seal of transfer " + each.manifest().transfer() + " "
                                    + Names.shown(each.manifest().name()) + " come again from " + answer.holder());
                }
                if (best == null || each.order() > best.order()) {
                    question.best = each;
                }
            }
        }
    }
}
