package io.longhaul.wire;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A subscription asks for manifests and seals that it does not have: one that is younger than its topic asks the archives of
 * the topic for what they retain, a page at a time; one that lacks those of a single transfer asks every holder. An answer
 * goes to the inbox of {@code asker}.
 *
 * @param request number of the question, repeated in the answer; one that nobody can guess
 * @param sinceMillis what an archive first heard of before is not asked for, milliseconds since the epoch
 * @param askedMillis the asker's clock when it asks, which {@code sinceMillis} was counted from, so that an archive can tell how
 *     long ago that was by its own clock; 0, and missing in the JSON, when it was not counted from any
 * @param afterOrder order of the last transfer of the page before; -1 for the first page
 * @param afterTransfer its identity; empty for the first page
 * @param transfer the only transfer that is asked for; empty, and missing in the JSON, for all
 */
public record RetainedQuery(
        long request,
        String topic,
        String subscription,
        String asker,
        long sinceMillis,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long askedMillis,
        long afterOrder,
        String afterTransfer,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String transfer)
        implements Frame {
    public RetainedQuery {
        Names.topic(topic);
        Names.subscription(subscription);
        Names.agent(asker);
        Limits.range("since", sinceMillis, 0, Long.MAX_VALUE);
        Limits.range("asked", askedMillis, 0, Long.MAX_VALUE);
        Limits.range("after", afterOrder, -1, Long.MAX_VALUE);
        identityOrNone(afterTransfer);
        identityOrNone(transfer);
    }

    private static void identityOrNone(String transfer) {
        if (!transfer.isEmpty()) {
            TransferId.parse(transfer);
        }
    }

    /** Asks for one transfer; an archive that knows no such question finds nothing that is young enough for it. */
    public static RetainedQuery of(long request, String topic, String subscription, String asker, TransferId transfer) {
        return new RetainedQuery(request, topic, subscription, asker, Long.MAX_VALUE, 0, -1, "", transfer.toString());
    }

    @Override
    public FrameType type() {
        return FrameType.RETAINED_QUERY;
    }
}
