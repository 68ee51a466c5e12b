package io.longhaul.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A subscriber asks one holder for pieces.
 *
 * @param transfer the transfer
 * @param subscription who asks
 * @param asker agent whose inbox takes the pieces
 * @param first index of the piece that bit 0 of the bitmap stands for
 * @param bitmap pieces wanted, little-endian bits as {@link java.util.BitSet#toByteArray()} writes them
 * @param topic the topic of the transfer; empty, and missing in the JSON, where an older agent asks
 */
public record RepairRequest(
        TransferId transfer,
        String subscription,
        String asker,
        long first,
        byte[] bitmap,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String topic)
        implements Frame {
    public RepairRequest {
        if (!topic.isEmpty()) {
            Names.topic(topic);
        }
        Names.subscription(subscription);
        Names.agent(asker);
        Limits.range("first", first, 0, Limits.MAX_PIECES);
        Limits.range("bitmap bytes", bitmap.length, 0, Limits.MAX_CONTROL_BYTES / 2);
        Limits.range("last piece wanted", first + BitSet.valueOf(bitmap).length(), 0, Limits.MAX_PIECES);
        bitmap = bitmap.clone();
    }

    @Override
    public byte[] bitmap() {
        return bitmap.clone();
    }

    @Override
    public FrameType type() {
        return FrameType.REPAIR_REQUEST;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RepairRequest that
                && transfer.equals(that.transfer)
                && subscription.equals(that.subscription)
                && asker.equals(that.asker)
                && first == that.first
                && topic.equals(that.topic)
                && Arrays.equals(bitmap, that.bitmap);
    }

    @Override
    public int hashCode() {
        return 31 * transfer.hashCode() + Arrays.hashCode(bitmap);
    }
}
