package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The subscriptions made here that all neighbours who could be reached act on. Network's thread only.
 *
 * <h2>Design</h2>
 * While no link stands these are ready and all others wait for one. What is known is noted where the subscriptions are, so
 * that a broker that takes over has both; whatever was not noted waits: a link shows again who knows of it.
 */
final class Known {
    private static final String NOTE = "known";

    private final List<String> links;
    private final Note note;
    private final QuietLog log;
    private final Set<String> queues = new TreeSet<>();
    private final Set<String> waiting = new HashSet<>();
    private Set<String> noted = Set.of();
    private boolean changed;

    /** Where it is noted; durable when it is written. */
    interface Note {
        String read();

        void write(String text) throws Exception;
    }

    /** Takes the links that this broker opens by itself. */
    Known(List<String> links, Note note, QuietLog log) {
        this.links = links;
        this.note = note;
        this.log = log;
    }

    /** Reads what was known over the same links. */
    void load() {
        List<String> lines = note.read().lines().toList();
        if (!hasLinks()) {
            write(""); // or it would hold again some day, for other subscriptions of these names
        } else if (!lines.isEmpty() && lines.get(0).equals(header())) {
            noted = Set.copyOf(lines.subList(1, lines.size()));
        }
    }

    private String header() {
        return "links " + String.join(" ", links);
    }

    /** Returns whether there are links to wait for. */
    boolean hasLinks() {
        return !links.isEmpty();
    }

    private boolean isOfConcern(String queue) {
        return hasLinks() && queue.startsWith(Addresses.SUBSCRIPTION_PREFIX);
    }

    /** There is a queue since before this broker's start. */
    void restore(String queue) {
        if (isOfConcern(queue)) {
            (noted.contains(queue) ? queues : waiting).add(queue);
        }
    }

    /** A queue was made, which nobody knows of yet. */
    void add(String queue) {
        if (isOfConcern(queue)) {
            queues.remove(queue);
            waiting.add(queue);
            if (noted.contains(queue)) { // of another queue of that name
                changed = true;
                keep();
            }
        }
    }

    void drop(String queue) {
        changed |= queues.remove(queue);
        waiting.remove(queue);
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Returns whether a subscription to a topic waits. */
    boolean isWaiting(String topic) {
        String prefix = Addresses.subscriptionPrefix(topic);
        return waiting.stream().anyMatch(queue -> queue.startsWith(prefix));
    }

    /** All who can be reached know of all subscriptions but those to some topics. */
    void learn(Set<String> unknown) {
        changed |= waiting.removeIf(queue -> !unknown.contains(Addresses.topicOf(queue)) && queues.add(queue));
    }

    /** Brings the note up to date; what has no room in it waits after a restart. */
    void keep() {
        if (!changed) {
            return;
        }
        Set<String> some = new HashSet<>();
        StringBuilder text = new StringBuilder(header());
        for (String queue : queues) {
            if (text.length() + queue.length() < QueueNote.MOST_CHARACTERS) {
                text.append('\n').append(queue);
                some.add(queue);
            }
        }
        if (write(text.toString())) {
            noted = Set.copyOf(some);
            changed = false;
        }
    }

    private boolean write(String text) {
        try {
            note.write(text);
            return true;
        } catch (Exception e) {
            log.warn(NOTE, "which subscriptions other brokers know of cannot be noted: " + e);
            return false;
        }
    }
}
