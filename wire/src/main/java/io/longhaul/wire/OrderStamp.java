package io.longhaul.wire;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The number that a topic's broker puts on each manifest, with a checksum of its own: that of the frame's body does not cover
 * what is added on the way. Pure; may be used from any thread.
 */
public final class OrderStamp {
    /** Property of a manifest: {@code long}, set by the topic's broker; the greater is the later published. */
    public static final String ORDER = "lh_order";

    /** Property beside it: {@code int}, the CRC-32C of its eight bytes, big-endian; an older broker sets none. */
    public static final String CRC = "lh_order_crc";

    private OrderStamp() {}

    /** Returns the checksum that goes with a number. */
    public static int crc(long order) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, order));
        return (int) crc.getValue();
    }

    /**
     * Returns the number in a message's properties; 0 when there is none. Throws {@link WireException} when it is not the one
     * that its checksum was made of.
     */
    public static long read(Map<String, Object> properties) {
        return read(properties.get(ORDER), properties.get(CRC));
    }

    /** Like {@link #read(Map)}, of the values of the two properties; null for one that is missing. */
    public static long read(@Nullable Object order, @Nullable Object crc) {
        if (crc != null && !(order instanceof Long stamped && crc.equals(crc(stamped)))) {
            throw new WireException("property " + ORDER + ": expected the number of which " + CRC + " is the checksum, "
                    + crc + ", found " + order);
        }
        return order instanceof Long stamped && stamped > 0 ? stamped : 0;
    }
}
