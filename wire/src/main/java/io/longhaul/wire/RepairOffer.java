package io.longhaul.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A holder's answer to a {@link RepairQuery}. Which to prefer: the one with the fewest hops, and of these the lowest rank.
 *
 * @param transfer the transfer
 * @param holder the holder's agent name, whose inbox takes the {@link RepairRequest}
 * @param rank 0 archive, 1 publisher, 2 finished subscriber
 * @param hops links between brokers that the offer has crossed, 0 or more; not in the frame itself, brokers keep account
 *     of it in {@link FrameCodec#VIA}
 */
@JsonIncludeProperties({"transfer", "holder", "rank"})
public record RepairOffer(TransferId transfer, String holder, int rank, int hops) implements Frame {
    public RepairOffer {
        Names.agent(holder);
        Limits.range("rank", rank, 0, 2);
        Limits.range("hops", hops, 0, Integer.MAX_VALUE);
    }

    /** Returns an offer that has crossed no link. */
    @JsonCreator
    public static RepairOffer of(
            @JsonProperty("transfer") TransferId transfer,
            @JsonProperty("holder") String holder,
            @JsonProperty("rank") int rank) {
        return new RepairOffer(transfer, holder, rank, 0);
    }

    /** Returns the same offer as one that has crossed so many links. */
    RepairOffer after(int links) {
        return new RepairOffer(transfer, holder, rank, links);
    }

    @Override
    public FrameType type() {
        return FrameType.REPAIR_OFFER;
    }
}
