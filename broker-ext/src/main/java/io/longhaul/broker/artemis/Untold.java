package io.longhaul.broker.artemis;

import io.longhaul.broker.witness.KeptLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics with subscriptions that were made here and that no other broker may know of yet. Network's thread only.
 *
 * <p>What is known goes on without a link, what is not must wait for one; so that this is known after a restart, too, the
 * topics lie on disk while no link stands, and until they are told.
 */
final class Untold {
    private static final Logger LOG = LoggerFactory.getLogger(Untold.class);
    private static final String NOTE = "untold";

    private final int links;
    private final KeptLines note;
    private final Set<String> topics = new TreeSet<>();
    private Set<String> noted = Set.of();

    /** Takes the number of links that this broker opens by itself, and where its data are. */
    Untold(int links, Path data) {
        this.links = links;
        this.note = new KeptLines(data.resolve(NOTE), NOTE);
    }

    /** Reads what was left; a damaged note counts as none, and is told. */
    void load() {
        try {
            topics.addAll(note.read());
            noted = Set.copyOf(topics);
        } catch (IOException e) {
            LOG.warn("{}; subscriptions that nobody knows of yet count as known", e.toString());
        }
    }

    /** Returns whether there are links to wait for. */
    boolean isWaiting() {
        return links > 0;
    }

    void add(String topic) {
        topics.add(topic);
    }

    boolean contains(String topic) {
        return topics.contains(topic);
    }

    /** Everybody who can be reached knows of the subscriptions to these topics. */
    void told(Predicate<String> isKnown) {
        topics.removeIf(isKnown);
        note(noted);
    }

    /** No link stands: what is not told is not forgotten. */
    void keep() {
        note(topics);
    }

    private void note(Set<String> some) {
        Set<String> next = new TreeSet<>(some);
        next.retainAll(topics);
        if (next.equals(noted)) {
            return;
        }
        try {
            note.write(List.copyOf(next));
            noted = next;
        } catch (IOException e) {
            LOG.warn("which subscriptions nobody knows of yet cannot be noted: {}", e.toString());
        }
    }
}
