package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.link.LinkException;
import java.util.Optional;
import java.util.Set;

/** Looks whether a topic can take a transfer before anything of it is sent. */
final class Preflight {
    private static final long RETRY_MILLIS = 500;

    private final Publishing publishing;
    private final String topic;
    private final int receipts;

    Preflight(Publishing publishing, String topic, int receipts) {
        this.publishing = publishing;
        this.topic = topic;
        this.receipts = receipts;
    }

    /** Returns why the topic cannot take it now; waits for the end of an outage. */
    Optional<AgentException> objection(Halt halt) throws InterruptedException {
        while (true) {
            try {
                return now(true);
            } catch (LinkException e) {
                if (e.code() != LinkException.Code.UNREACHABLE) {
                    throw e;
                }
                halt.pause(RETRY_MILLIS);
            }
        }
    }

    /**
     * Returns why the topic cannot take it at this moment; throws what the link throws.
     *
     * @param checkRight whether to look for the right to publish before saying that nobody subscribes: who lacks it need
     *     not look for a subscriber
     */
    Optional<AgentException> now(boolean checkRight) {
        Set<String> known = publishing.context().link().subscriptions(topic);
        if (known.isEmpty() && checkRight) {
            publishing.context().desk().requireRight(topic);
        }
        return known.isEmpty()
                ? Optional.of(refusal("nobody subscribes to topic " + topic
                        + "; subscribe first, or publish with spool to hold it until somebody does"))
                : tooFew(known);
    }

    /** Like {@link #now(boolean)}, for what is held while nobody subscribes. */
    Optional<AgentException> hopeless() {
        Set<String> known = publishing.context().link().subscriptions(topic);
        return known.isEmpty() ? Optional.empty() : tooFew(known);
    }

    private Optional<AgentException> tooFew(Set<String> known) {
        return receipts <= known.size()
                ? Optional.empty()
                : Optional.of(refusal("expected receipts of " + receipts + " subscriptions, found " + known.size()
                        + " on topic " + topic + ": " + String.join(", ", known)));
    }

    private static AgentException refusal(String message) {
        return new AgentException(AgentException.Code.REFUSED, message);
    }

    /** Makes sure that receipts are kept for this agent before anybody can send one; waits for the end of an outage. */
    void openReceipts(Halt halt) throws InterruptedException {
        while (receipts > 0) {
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
