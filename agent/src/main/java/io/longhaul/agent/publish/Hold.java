package io.longhaul.agent.publish;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.TopicSubscriptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

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
    private final LongSupplier nanoTime;
    private List<Held> held = new ArrayList<>(); // guarded by this
    private boolean outage; // guarded by this: somebody waits, and there was no broker at the last look
    private Map<String, TopicSubscriptions> answers = new HashMap<>(); // by topic; guarded by this
    private long answersSinceNs; // guarded by this

    private record Held(BooleanSupplier over, Runnable comeBack) {}

    Hold(Link link, PublisherContext.Delay delay, LongSupplier nanoTime) {
        this.link = link;
        this.delay = delay;
        this.nanoTime = nanoTime;
        this.answersSinceNs = nanoTime.getAsLong();
    }

    /**
     * Holds a run, whose coming back must return at once.
     *
     * @param over whether it need not come back any more
     */
    void add(BooleanSupplier over, Runnable comeBack) {
        synchronized (this) {
            held.add(new Held(over, comeBack));
            if (held.size() > 1) {
                return;
            }
        }
        delay.call(TIME, this::release);
    }

    /** Whether some wait for the end of an outage, and have looked for it in vain. */
    synchronized boolean isOutage() {
        return outage;
    }

    private void release() {
        boolean canAsk = canAsk();
        boolean again;
        List<Held> due = List.of();
        synchronized (this) {
            if (canAsk) {
                due = held;
                held = new ArrayList<>();
            } else {
                held.removeIf(each -> each.over.getAsBoolean()); // an outage may last for days
            }
            again = !held.isEmpty();
            outage = again;
        }
        if (again) {
            delay.call(TIME, this::release);
        }
        due.forEach(each -> each.comeBack.run());
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

    /** Returns what is known of a topic, or was a moment ago when others asked; throws what the link throws. */
    TopicSubscriptions topic(String topic) {
        Map<String, TopicSubscriptions> known;
        synchronized (this) {
            // not at the coming back: who comes back may wait for its turn for hours
            if (nanoTime.getAsLong() - answersSinceNs >= TIME.toNanos()) {
                answers = new HashMap<>();
                answersSinceNs = nanoTime.getAsLong();
            }
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
