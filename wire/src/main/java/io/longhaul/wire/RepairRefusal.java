package io.longhaul.wire;

/** A holder cannot serve (part of) a {@link RepairRequest}; the asker turns to the next holder. */
public record RepairRefusal(TransferId transfer, String holder, String reason) implements Frame {
    public RepairRefusal {
        Names.agent(holder);
        reason = Limits.reason(reason);
    }

    @Override
    public FrameType type() {
        return FrameType.REPAIR_REFUSAL;
    }
}
