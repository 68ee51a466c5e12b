package io.longhaul.agent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The subscriptions that an agent serves; may be used from any thread. */
final class ServedSubscriptions<S extends Subscription> {
    private final List<S> served = new CopyOnWriteArrayList<>();

    /**
     * Adds one; refuses a second one of the same name and topic, which would evict the first at the broker, be evicted by it,
     * and so on for ever. One that has ended makes way, also where its owner hears of that end before this does.
     */
    synchronized void add(S subscription) {
        for (S each : served) {
            if (each.topic().equals(subscription.topic())
                    && each.name().equals(subscription.name())
                    && !each.closed().isDone()) {
                throw new AgentException(
                        AgentException.Code.REFUSED,
                        "subscription " + subscription.name() + " of topic " + subscription.topic()
                                + " is served by this agent already: close that one first");
            }
        }
        served.add(subscription);
    }

    void remove(S subscription) {
        served.remove(subscription);
    }

    /** Returns those that are served; changes show in it. */
    List<S> all() {
        return served;
    }
}
