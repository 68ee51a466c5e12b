package io.longhaul.agent.publish;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.SymlinkPolicy;
import io.longhaul.agent.link.Link;
import io.longhaul.storage.StorageException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger keeps of an outgoing transfer beyond its columns, as JSON.
 *
 * @param origin how it began
 * @param counters what was sent
 * @param seconds time spent in each phase, over all processes that worked on it
 * @param spooled whether all of it is durable in the spool or safe in the network
 * @param announced whether the network has the manifest
 * @param cancelDue whether receivers may have to be told still that it is given up
 * @param reason why it ended, when it failed
 * @param sentTo the topic's subscriptions when all was sent; empty while that is not known
 * @param session the publisher's session that completed it; 0 before, and once its caller was told
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record OutgoingDetail(
        Origin origin,
        Counters counters,
        Seconds seconds,
        boolean spooled,
        boolean announced,
        boolean cancelDue,
        String reason,
        List<String> sentTo,
        long session) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    OutgoingDetail {
        sentTo = known(sentTo);
    }

    /** A ledger that was written before this was kept has none. */
    private static List<String> known(@Nullable List<String> sentTo) {
        return sentTo == null ? List.of() : List.copyOf(sentTo);
    }

    /** What kind of source it is. */
    enum Kind {
        FILE,
        TREE,
        STREAM
    }

    /**
     * How it began; {@code receipts} is how many receipts end it, {@code awaited} whose they must be, if that matters. A ledger
     * that was written before there were names and priorities has none.
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Origin(
            Kind kind,
            SourceIdentity identity,
            boolean spool,
            int receipts,
            Set<String> awaited,
            SymlinkPolicy symlinks,
            @Nullable Integer priority) {
        Origin {
            awaited = names(awaited);
        }

        private static Set<String> names(@Nullable Set<String> awaited) {
            return awaited == null ? Set.of() : Set.copyOf(awaited);
        }

        int priorityOrNormal() {
            return priority == null ? Link.NORMAL_PRIORITY : priority;
        }
    }

    /** {@code offered}: pieces below this index may have been sent; written lazily, so low by a window at most. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Counters(long offered, long resentPieces, long resentBytes) {}

    /** Seconds of reading and hashing, from the first frame until all was safe, and of waiting for receipts. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Seconds(double reading, double sending, double waiting) {
        Seconds plus(double moreReading, double moreSending, double moreWaiting) {
            return new Seconds(reading + moreReading, sending + moreSending, waiting + moreWaiting);
        }
    }

    /** Returns whose receipts they must be, for the end of a message. */
    static String whose(Set<String> awaited) {
        return awaited.isEmpty() ? "" : " (" + String.join(", ", new TreeSet<>(awaited)) + ")";
    }

    static OutgoingDetail of(Origin origin) {
        return new OutgoingDetail(
                origin, new Counters(0, 0, 0), new Seconds(0, 0, 0), false, false, false, "", List.of(), 0);
    }

    static OutgoingDetail parse(String json) {
        try {
            return JSON.readValue(json, OutgoingDetail.class);
        } catch (JsonProcessingException e) {
            throw new StorageException(
                    StorageException.Code.DAMAGED,
                    "detail of an outgoing transfer: expected JSON of this version, found " + e.getOriginalMessage(),
                    e);
        }
    }

    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("detail cannot be written", e);
        }
    }

    /** Returns it with the receipts that end it as a request wants them. */
    OutgoingDetail withReceipts(PublishRequest wanted) {
        Origin changed = new Origin(
                origin.kind,
                origin.identity,
                origin.spool,
                wanted.receipts(),
                wanted.awaited(),
                origin.symlinks,
                origin.priority);
        return new OutgoingDetail(changed, counters, seconds, spooled, announced, cancelDue, reason, sentTo, session);
    }

    OutgoingDetail withCounters(Counters changed) {
        return new OutgoingDetail(origin, changed, seconds, spooled, announced, cancelDue, reason, sentTo, session);
    }

    OutgoingDetail withSeconds(Seconds changed) {
        return new OutgoingDetail(origin, counters, changed, spooled, announced, cancelDue, reason, sentTo, session);
    }

    OutgoingDetail withSpooled() {
        return new OutgoingDetail(origin, counters, seconds, true, announced, cancelDue, reason, sentTo, session);
    }

    OutgoingDetail withoutSpooled() {
        return new OutgoingDetail(origin, counters, seconds, false, announced, cancelDue, reason, sentTo, session);
    }

    OutgoingDetail withAnnounced() {
        return new OutgoingDetail(origin, counters, seconds, spooled, true, cancelDue, reason, sentTo, session);
    }

    OutgoingDetail withEnd(boolean tellReceivers, String why) {
        return new OutgoingDetail(origin, counters, seconds, spooled, announced, tellReceivers, why, sentTo, session);
    }

    OutgoingDetail withSentTo(List<String> subscriptions) {
        return new OutgoingDetail(
                origin, counters, seconds, spooled, announced, cancelDue, reason, subscriptions, session);
    }

    OutgoingDetail withSession(long number) {
        return new OutgoingDetail(origin, counters, seconds, spooled, announced, cancelDue, reason, sentTo, number);
    }
}
