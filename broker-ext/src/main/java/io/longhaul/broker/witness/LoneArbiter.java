package io.longhaul.broker.witness;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nobody decides: there is no witness. Each broker's own book stands for it, and the partner's is asked when it lives, so
 * that one that comes back finds out that the other has gone on.
 */
public final class LoneArbiter implements Arbiter {
    private static final Logger LOG = LoggerFactory.getLogger(LoneArbiter.class);
    private final WitnessDesk own;
    private final WitnessClient partner;
    private final String pair;
    private final LongSupplier local;

    /**
     * Takes both books.
     *
     * @param local the term that this broker's data are in
     */
    public LoneArbiter(WitnessDesk own, WitnessClient partner, String pair, LongSupplier local) {
        this.own = own;
        this.partner = partner;
        this.pair = pair;
        this.local = local;
    }

    @Override
    public boolean isReachable() {
        return true;
    }

    private Answer ask(Operation operation, String node, long value) throws WitnessException {
        Answer answer = own.answer(new Ask(0, operation, pair, node, 0, value), new WitnessDesk.Asker(this, ""));
        return switch (answer.outcome()) {
            case DONE -> answer;
            case FAILED ->
                throw new WitnessException(
                        WitnessException.Kind.UNREACHABLE, "the term cannot be written to this broker's disk");
            case CLAIMED, CHANGED, OTHER_NODE, OTHER_ACCOUNT ->
                throw new WitnessException(
                        WitnessException.Kind.REFUSED,
                        "this broker's book of terms is of other data than its journal; expected them together");
        };
    }

    @Override
    public boolean claim(String node) throws WitnessException {
        ask(Operation.CLAIM, node, 0);
        return true;
    }

    @Override
    public void release(String node) {
        own.left(this);
    }

    @Override
    public long term(String node) throws WitnessException, InterruptedException {
        long mine = ownTerm(node);
        try {
            Answer answer = partner.ask(Operation.GET, pair, node, 0, 0);
            if (answer.outcome() == Outcome.DONE && Math.abs(answer.value()) > Math.abs(mine)) {
                return answer.value();
            }
        } catch (WitnessException e) {
            LOG.debug("partner: {}", e.getMessage());
        }
        return mine;
    }

    /** What a partner sent since is in the data before it is in the book. */
    private long ownTerm(String node) throws WitnessException {
        long noted = ask(Operation.GET, node, 0).value();
        return Math.abs(noted) >= local.getAsLong() ? noted : local.getAsLong();
    }

    @Override
    public void set(String node, long term) throws WitnessException {
        claim(node);
        ask(Operation.SET, node, term);
    }

    @Override
    public boolean swap(String node, long expected, long term) throws WitnessException {
        if (ownTerm(node) != expected) {
            return false;
        }
        set(node, term);
        return true;
    }

    @Override
    public void close() {
        partner.close();
    }
}
