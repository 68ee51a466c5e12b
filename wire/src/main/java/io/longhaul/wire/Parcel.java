package io.longhaul.wire;

import java.nio.ByteBuffer;

/**
 * A message from one endpoint to another; what it means is between the two.
 *
 * <p>The body is not copied: whoever makes the parcel leaves the buffer alone for as long as the parcel is in use.
 *
 * @param from name of the endpoint that sent it
 * @param body at most {@link Limits#MAX_PARCEL_BYTES} bytes
 */
public record Parcel(String from, ByteBuffer body) implements Frame {
    public Parcel {
        Names.endpoint(from);
        Limits.range("parcel body", body.remaining(), 0, Limits.MAX_PARCEL_BYTES);
    }

    @Override
    public FrameType type() {
        return FrameType.PARCEL;
    }
}
