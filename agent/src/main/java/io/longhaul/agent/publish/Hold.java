package io.longhaul.agent.publish;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.TopicSubscriptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs that the network cannot take now, or may not: all come back together after a while, once there is a broker to ask.
 *
 * <p>Thousands may wait. A timer, a thread and a question for each of them would keep agent and broker busy. May be used from
 * any thread.
 */
final class Hold {
    private static final Duration TIME = Duration.ofSeconds(1);

    private final Link link;
    private final PublisherContext.Delay delay;
    private List<Runnable> held = new ArrayList<>(); // guarded by this
    private Map<String, TopicSubscriptions> answers = new HashMap<>(); // by topic; guarded by this

    Hold(Link link, PublisherContext.Delay delay) {
        this.link = link;
        this.delay = delay;
    }

    /** Holds a run, whose coming back must return at once. */
    void add(Runnable comeBack) {
        synchronized (this) {
            held.add(comeBack);
            if (held.size() > 1) {
                return;
            }
        }
        delay.call(TIME, this::release);
    }

    /** Whether somebody waits. */
    synchronized boolean isUsed() {
        return !held.isEmpty();
    }

    private void release() {
        if (!canAsk()) {
            delay.call(TIME, this::release);
            return;
        }
        List<Runnable> due;
        synchronized (this) {
            due = held;
            held = new ArrayList<>();
            answers = new HashMap<>();
        }
        due.forEach(Runnable::run);
    }

    private boolean canAsk() {
        try {
            return link.awaitConnection(Duration.ZERO);
        } catch (LinkException e) {
            return true; // each of them is to learn of it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Returns what was known of a topic when it was first asked for since the last coming back; throws what the link throws. */
    TopicSubscriptions topic(String topic) {
        Map<String, TopicSubscriptions> known;
        synchronized (this) {
            known = answers;
            TopicSubscriptions answer = known.get(topic);
            if (answer != null) {
                return answer;
            }
        }
        TopicSubscriptions answer = link.topic(topic);
        synchronized (this) {
            known.put(topic, answer);
        }
        return answer;
    }
}
