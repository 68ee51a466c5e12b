package io.longhaul.wire;

/** The publisher gives a transfer up; receivers discard what they have of it. */
public record Cancel(TransferId transfer, String reason) implements Frame {
    public Cancel {
        reason = Limits.reason(reason);
    }

    @Override
    public FrameType type() {
        return FrameType.CANCEL;
    }
}
