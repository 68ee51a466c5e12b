package io.longhaul.broker.artemis;

import io.longhaul.broker.file.KeptLines;
import io.longhaul.wire.Addresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The subscriptions made here that all neighbours who could be reached act on. Network's thread only.
 *
 * <h2>Design</h2>
 * While no link stands these are ready and all others wait for one. What is known lies on disk, so that whatever was not
 * noted, or is not to be read, waits: a link shows again who knows of it.
 */
final class Known {
    private static final String NOTE = "known";

    /** Most that are noted; more wait after a restart. */
    private static final int MOST_NOTED = 10_000;

    private final List<String> links;
    private final Path file;
    private final boolean isNoting;
    private final QuietLog log;
    private final Set<String> queues = new TreeSet<>();
    private final Set<String> waiting = new HashSet<>();
    private Set<String> noted = Set.of();
    private boolean changed;

    /**
     * Takes the links that this broker opens by itself.
     *
     * @param isPaired whether the subscriptions may be another broker's at the next start, so that no note holds for them
     */
    Known(List<String> links, Path data, boolean isPaired, QuietLog log) {
        this.links = links;
        this.file = data.resolve(NOTE);
        this.isNoting = !links.isEmpty() && !isPaired;
        this.log = log;
    }

    private KeptLines note() {
        return new KeptLines(file, NOTE);
    }

    /** Reads what was known over the same links; a damaged note counts as none, and is told. */
    void load() {
        try {
            if (!isNoting) {
                Files.deleteIfExists(file); // or it would hold again some day, for other subscriptions of these names
                return;
            }
            List<String> lines = note().read();
            if (!lines.isEmpty() && lines.get(0).equals(header())) {
                noted = Set.copyOf(lines.subList(1, lines.size()));
            }
        } catch (IOException e) {
            log.warn(NOTE, e + "; subscriptions wait until a link stands");
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

    /** Brings the note up to date. */
    void keep() {
        if (!changed || !isNoting) {
            return;
        }
        List<String> some = queues.stream().limit(MOST_NOTED).toList();
        try {
            note().write(Stream.concat(Stream.of(header()), some.stream()).toList());
            noted = Set.copyOf(some);
            changed = false;
        } catch (IOException e) {
            log.warn(NOTE, "which subscriptions other brokers know of cannot be noted: " + e);
        }
    }
}
