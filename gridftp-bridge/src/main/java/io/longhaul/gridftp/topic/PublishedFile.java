package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A file that was stored here for a topic.
 *
 * @param id 16 hexadecimal digits; of two the later one is the greater
 * @param path {@code /TOPIC/name/of/file}
 * @param length in bytes
 * @param modified when it was whole
 * @param sentTo subscriptions that the topic had when it was published; empty before
 * @param transfer of the agent; empty before it was published
 * @param state what has become of it
 * @param isTold whether a client was told that it is stored
 */
record PublishedFile(
        String id,
        FilePath path,
        long length,
        Instant modified,
        List<String> sentTo,
        String transfer,
        State state,
        boolean isTold) {
    /** What has become of it. */
    enum State {
        /** It is published, or will be, and not all have answered. */
        WAITING,
        /** All have it. */
        DELIVERED,
        /** Nothing more will happen, and some have it, or may have it. */
        OVER
    }

    PublishedFile {
        sentTo = List.copyOf(sentTo);
    }

    String topic() {
        return TopicPath.topic(path);
    }

    String name() {
        return TopicPath.name(path);
    }

    /** Returns whether it is of the same path and came later. */
    boolean isNewer(PublishedFile than) {
        return path.equals(than.path) && id.compareTo(than.id) > 0;
    }

    Entry entry() {
        return new Entry(path.name(), Entry.Type.FILE, length, modified, true, Optional.empty());
    }

    PublishedFile published(String newTransfer, List<String> subscriptions) {
        return new PublishedFile(id, path, length, modified, subscriptions, newTransfer, state, isTold);
    }

    PublishedFile withState(State newState) {
        return new PublishedFile(id, path, length, modified, sentTo, transfer, newState, isTold);
    }

    PublishedFile told() {
        return new PublishedFile(id, path, length, modified, sentTo, transfer, state, true);
    }
}
