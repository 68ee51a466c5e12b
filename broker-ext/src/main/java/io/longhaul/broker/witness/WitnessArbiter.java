package io.longhaul.broker.witness;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A witness decides. */
public final class WitnessArbiter implements Arbiter {
    private static final Logger LOG = LoggerFactory.getLogger(WitnessArbiter.class);
    private final WitnessClient client;
    private final String pair;
    private final String where;
    private final Outage outage = new Outage();

    public WitnessArbiter(WitnessClient client, String pair, String where) {
        this.client = client;
        this.pair = pair;
        this.where = where;
    }

    @Override
    public boolean isReachable() throws WitnessException, InterruptedException {
        try {
            check(client.ask(Operation.GET, pair, "?", 0, 0));
            answered();
            return true;
        } catch (WitnessException e) {
            if (!e.isPassing()) {
                throw told(e);
            }
            failed(e);
            return false;
        }
    }

    private static void check(Answer answer) throws WitnessException {
        if (answer.outcome() == Outcome.OTHER_ACCOUNT) {
            throw new WitnessException(
                    WitnessException.Kind.REFUSED,
                    "this pair is another account's there; expected the --link-user that asked for it first, or that"
                            + " this one may link no more");
        }
    }

    private void answered() {
        if (outage.answered()) {
            LOG.info("witness {} can be asked again", where);
        }
    }

    private void failed(WitnessException e) {
        if (outage.failed(e.kind())) {
            LOG.warn("witness {}: cannot be asked: {}; tried again", where, e.getMessage());
        }
    }

    private WitnessException told(WitnessException e) {
        return new WitnessException(e.kind(), "witness " + where + ": " + e.getMessage());
    }

    private Answer ask(Operation operation, String node, long expected, long value)
            throws WitnessException, InterruptedException {
        Answer answer;
        try {
            answer = client.ask(operation, pair, node, expected, value);
            check(answer);
            answered();
        } catch (WitnessException e) {
            failed(e);
            throw told(e);
        }
        if (answer.outcome() == Outcome.OTHER_NODE) {
            throw new WitnessException(
                    WitnessException.Kind.REFUSED,
                    "witness " + where + " knows a broker " + pair
                            + " that keeps other data; expected the data directory that it has, or that of its backup");
        }
        if (answer.outcome() == Outcome.FAILED) {
            throw new WitnessException(
                    WitnessException.Kind.UNREACHABLE,
                    "witness " + where + " cannot write to its disk, or serves too many pairs; see its log");
        }
        return answer;
    }

    @Override
    public boolean claim(String node) throws WitnessException, InterruptedException {
        return ask(Operation.CLAIM, node, 0, 0).outcome() == Outcome.DONE;
    }

    @Override
    public void release(String node) {
        try {
            client.ask(Operation.RELEASE, pair, node, 0, 0);
        } catch (WitnessException e) {
            LOG.debug("witness {}: the claim ends by itself: {}", where, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long term(String node) throws WitnessException, InterruptedException {
        return ask(Operation.GET, node, 0, 0).value();
    }

    @Override
    public void set(String node, long term) throws WitnessException, InterruptedException {
        if (ask(Operation.SET, node, 0, term).outcome() != Outcome.DONE) {
            throw lost();
        }
    }

    @Override
    public boolean swap(String node, long expected, long term) throws WitnessException, InterruptedException {
        return switch (ask(Operation.SWAP, node, expected, term).outcome()) {
            case DONE -> true;
            case CHANGED -> false;
            case CLAIMED, OTHER_NODE, OTHER_ACCOUNT, FAILED -> throw lost();
        };
    }

    private WitnessException lost() {
        return new WitnessException(
                WitnessException.Kind.LOST, "witness " + where + ": the other broker of the pair has the claim");
    }

    @Override
    public void close() {
        client.close();
    }
}
