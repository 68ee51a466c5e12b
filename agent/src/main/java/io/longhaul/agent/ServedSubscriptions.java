package io.longhaul.agent;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The subscriptions that an agent serves; may be used from any thread. */
final class ServedSubscriptions<S extends Subscription> {
    private final List<S> served = new CopyOnWriteArrayList<>();
    private boolean over; // guarded by this

    /**
     * Adds one; refuses a second one of the same name and topic, which would evict the first at the broker, be evicted by it,
     * and so on for ever. One that has ended makes way, also where its owner hears of that end before this does.
     *
     * @param start begins to serve it; when that fails it is removed again
     */
    void add(S subscription, Runnable start) {
        enlist(subscription);
        try {
            start.run();
        } catch (RuntimeException e) {
            served.remove(subscription);
            throw e;
        }
    }

    private synchronized void enlist(S subscription) {
        if (over) {
            throw new AgentException(AgentException.Code.INTERRUPTED, "the agent is closed");
        }
        if (find(subscription.topic(), subscription.name()).isPresent()) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "subscription " + subscription.name() + " of topic " + subscription.topic()
                            + " is served by this agent already: close that one first");
        }
        served.add(subscription);
    }

    void remove(S subscription) {
        served.remove(subscription);
    }

    /** Returns the one of this topic and name; if there is none, does something before anybody begins to serve it. */
    synchronized Optional<S> findOr(String topic, String name, Runnable unserved) {
        Optional<S> found = find(topic, name);
        if (found.isEmpty()) {
            unserved.run();
        }
        return found;
    }

    private Optional<S> find(String topic, String name) {
        return served.stream()
                .filter(each -> each.topic().equals(topic)
                        && each.name().equals(name)
                        && !each.closed().isDone())
                .findFirst();
    }

    /** Takes no more from now on, and returns those that are served. */
    synchronized List<S> end() {
        over = true;
        return List.copyOf(served);
    }

    /** Returns those that are served; changes show in it. */
    List<S> all() {
        return served;
    }
}
