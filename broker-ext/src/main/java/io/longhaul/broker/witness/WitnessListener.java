package io.longhaul.broker.witness;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.FrameAssembler;
import io.longhaul.ptcp.artemis.FrameGuard;
import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** Frames of the witness protocol over one session of parallel TCP, for either side. */
abstract class WitnessListener implements PtcpListener {
    private final PtcpSession session;
    private final FrameAssembler assembler =
            new FrameAssembler(UnpooledByteBufAllocator.DEFAULT, FrameGuard.bounded(WitnessCodec.MOST_BYTES));
    private final boolean opener;
    private int magicBytes; // still to come; event loop only
    private boolean over; // event loop only

    WitnessListener(PtcpSession session, boolean opener) {
        this.session = session;
        this.opener = opener;
        this.magicBytes = opener ? 0 : Integer.BYTES;
    }

    /** On the event loop; must not block. */
    abstract void received(WitnessFrame frame);

    /** On the event loop, once. */
    abstract void ended(String why);

    /** From any thread. */
    final void send(WitnessFrame frame) {
        session.write(WitnessCodec.encode(frame));
    }

    final PtcpSession session() {
        return session;
    }

    @Override
    public void opened() {
        if (opener) {
            session.write(Unpooled.copyInt(WitnessCodec.MAGIC));
        }
    }

    @Override
    public final void received(ByteBuf bytes) {
        int magic = Math.min(magicBytes, bytes.readableBytes());
        magicBytes -= magic;
        bytes.skipBytes(magic);
        assembler.take(bytes, frame -> {
            try {
                received(WitnessCodec.decode(frame));
            } catch (WireException e) {
                throw new PtcpException(PtcpException.Code.PROTOCOL, String.valueOf(e.getMessage()), e);
            }
        });
    }

    @Override
    public final void writabilityChanged(boolean writable) {}

    @Override
    public final void closed(@Nullable PtcpException cause) {
        if (!over) {
            over = true;
            assembler.release();
            ended(cause == null ? "the other end closed" : String.valueOf(cause.getMessage()));
        }
    }
}
