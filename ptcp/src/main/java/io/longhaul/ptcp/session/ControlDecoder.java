package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Frame;
import io.longhaul.ptcp.frame.Header;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a control channel; runs on the channel's event loop. */
final class ControlDecoder extends ByteToMessageDecoder {
    private final Consumer<Frame> frames;
    private final Consumer<PtcpException> failure;
    private @Nullable Header header; // event loop only

    ControlDecoder(Consumer<Frame> frames, Consumer<PtcpException> failure) {
        this.frames = frames;
        this.failure = failure;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        try {
            if (header == null && in.readableBytes() >= Header.BYTES) {
                header = Header.read(in, Frame.MOST_BYTES);
            }
            if (header != null && in.readableBytes() >= header.length()) {
                Frame frame = Frame.read(header, in);
                header = null;
                frames.accept(frame);
            }
        } catch (PtcpException e) {
            in.skipBytes(in.readableBytes());
            failure.accept(e);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
