package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.FrameType;
import io.longhaul.ptcp.frame.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a data channel: gives the bytes of packets on as they come, without gathering a packet first.
 *
 * <p>One for each data channel; runs on the channel's event loop.
 */
final class PacketDecoder extends ChannelInboundHandlerAdapter {
    private final int packetBytes;
    private final DataChannel channel;
    private final ByteBuf header = Unpooled.buffer(Header.BYTES, Header.BYTES);
    private List<Fragment> batch = new ArrayList<>(); // event loop only
    private int missing; // bytes of the current packet that are still to come; event loop only
    private long position; // of the next byte of the current packet; event loop only
    private long came; // since the last time that everything was read; event loop only
    private final LowWater lowWater;
    private boolean broken; // what comes now means nothing; event loop only

    PacketDecoder(int packetBytes, DataChannel channel, LowWater lowWater) {
        this.packetBytes = packetBytes;
        this.channel = channel;
        this.lowWater = lowWater;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        came += in.readableBytes();
        try {
            while (in.isReadable() && !broken) {
                if (missing > 0) {
                    int length = Math.min(missing, in.readableBytes());
                    batch.add(new Fragment(position, in.readRetainedSlice(length)));
                    position += length;
                    missing -= length;
                } else {
                    in.readBytes(header, Math.min(header.writableBytes(), in.readableBytes()));
                    if (!header.isWritable()) {
                        begin(Header.read(header, packetBytes));
                        header.clear();
                    }
                }
            }
        } catch (PtcpException e) {
            broken = true;
            channel.failed(e);
            ctx.close();
        } finally {
            in.release();
        }
    }

    private void begin(Header found) {
        if (found.type() == FrameType.DATA) {
            if (found.length() == 0 || found.position() > Long.MAX_VALUE - found.length()) {
                throw new PtcpException(
                        PtcpException.Code.PROTOCOL, "a packet of " + found.length() + " bytes at " + found.position());
            }
            missing = found.length();
            position = found.position();
        } else if (found.length() > 0 || (found.type() != FrameType.PING && found.type() != FrameType.PONG)) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a frame " + found.type() + " of " + found.length() + " bytes on a data channel");
        } else if (found.type() == FrameType.PING) {
            channel.asked(found.position());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (batch.isEmpty()) {
            channel.alive();
        } else {
            List<Fragment> full = batch;
            batch = new ArrayList<>();
            channel.received(full);
        }
        lowWater.next(came, missing);
        came = 0;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        batch.forEach(fragment -> fragment.bytes().release());
        batch = new ArrayList<>();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        channel.writabilityChanged();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
