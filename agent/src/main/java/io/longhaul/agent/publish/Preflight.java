package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.TopicSubscriptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks whether a topic can take a transfer before anything of it is sent. */
final class Preflight {
    private static final long RETRY_MILLIS = 500;

    private final Publishing publishing;
    private final String topic;
    private final OutgoingDetail.Origin origin;

    Preflight(Publishing publishing, OutgoingRecord record) {
        this.publishing = publishing;
        this.topic = record.manifest().topic();
        this.origin = record.detail().origin();
    }

    /** Whether there is a broker to ask; else the link would have its asker wait for the end of the outage. */
    boolean canAsk() throws InterruptedException {
        return publishing.context().link().awaitConnection(Duration.ZERO);
    }

    /**
     * Returns why the topic cannot take it at this moment, {@link Code#UNREACHABLE} when that may be only because not all
     * subscriptions are known; throws what the link throws.
     *
     * @param comesBack whether it was asked before, and held: the broker is asked once for all that come back with it. The
     *     first time the right to publish is looked for before saying that nobody subscribes: who lacks it need not look for
     *     a subscriber
     */
    Optional<AgentException> now(boolean comesBack) {
        TopicSubscriptions found = comesBack
                ? publishing.hold().topic(topic)
                : publishing.context().link().topic(topic);
        Set<String> known = found.known();
        if (known.isEmpty() && !comesBack) {
            publishing.context().desk().requireRight(topic);
        }
        Optional<AgentException> objection = known.isEmpty()
                ? Optional.of(refusal("nobody subscribes to topic " + topic
                        + (origin.spool()
                                ? ""
                                : "; subscribe first, or publish with spool to hold it until somebody does")))
                : tooFew(known);
        return found.isComplete()
                ? objection
                : objection.map(refusal -> new AgentException(Code.UNREACHABLE, found.unknownBehind()));
    }

    /** Like {@link #now(boolean)}, for what is held while nobody is known to subscribe. */
    Optional<AgentException> hopeless() {
        TopicSubscriptions found = publishing.context().link().topic(topic);
        return found.known().isEmpty() || !found.isComplete() ? Optional.empty() : tooFew(found.known());
    }

    private Optional<AgentException> tooFew(Set<String> known) {
        Set<String> able = new TreeSet<>(known);
        if (!origin.awaited().isEmpty()) {
            able.retainAll(origin.awaited());
        }
        return origin.receipts() <= able.size()
                ? Optional.empty()
                : Optional.of(refusal("expected receipts of " + origin.receipts() + " subscriptions"
                        + OutgoingDetail.whose(origin.awaited()) + ", found " + able.size() + " on topic " + topic
                        + ", which has " + String.join(", ", known)));
    }

    private static AgentException refusal(String message) {
        return new AgentException(Code.REFUSED, message);
    }

    /** Makes sure that receipts are kept for this agent before anybody can send one; waits for the end of an outage. */
    void openReceipts(Halt halt) throws InterruptedException {
        while (origin.receipts() > 0) {
            try {
                publishing.context().desk().openReceipts(topic);
                return;
            } catch (LinkException e) {
                if (e.code() != LinkException.Code.UNREACHABLE) {
                    throw e;
                }
                halt.pause(RETRY_MILLIS);
            }
        }
    }
}
