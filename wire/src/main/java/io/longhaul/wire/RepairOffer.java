package io.longhaul.wire;

/**
 * A holder's answer to a {@link RepairQuery}.
 *
 * @param transfer the transfer
 * @param holder the holder's agent name, whose inbox takes the {@link RepairRequest}
 * @param rank which to prefer: 0 archive, 1 publisher, 2 finished subscriber
 */
public record RepairOffer(TransferId transfer, String holder, int rank) implements Frame {
    public RepairOffer {
        Names.agent(holder);
        Limits.range("rank", rank, 0, 2);
    }

    @Override
    public FrameType type() {
        return FrameType.REPAIR_OFFER;
    }
}
