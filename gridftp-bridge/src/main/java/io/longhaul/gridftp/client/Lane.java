package io.longhaul.gridftp.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.ReferenceCountUtil;

/** One data connection of an upload. */
final class Lane extends ChannelInboundHandlerAdapter {
    private final Upload upload;
    private String reason = "";

    Lane(Upload upload) {
        this.upload = upload;
    }

    /** Ends a connection so that nobody takes that for the end of a file: not even a TLS end is sent. */
    static void reset(Channel lane) {
        try {
            if (lane.isOpen()) {
                lane.config().setOption(ChannelOption.SO_LINGER, 0);
            }
        } catch (ChannelException e) {
            // the other end was first
        }
        ChannelHandlerContext first = lane.pipeline().firstContext();
        if (first != null) {
            first.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        // nobody has anything to say to a sender
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        upload.pump();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        upload.lost(reason);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        reason = ": " + cause.getMessage();
        ctx.close();
    }
}
