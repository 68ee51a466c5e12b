package io.longhaul.broker.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.concurrent.atomic.AtomicInteger;

/** Sets up each connection, up to as many as there may be at a time; those beyond are closed unanswered. */
final class PageConnections extends ChannelInitializer<Channel> {
    private final Pages pages;
    private final PageServer.Limits limits;
    private final AtomicInteger open = new AtomicInteger();

    PageConnections(Pages pages, PageServer.Limits limits) {
        this.pages = pages;
        this.limits = limits;
    }

    @Override
    protected void initChannel(Channel channel) {
        open.incrementAndGet();
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        if (open.get() > limits.connections()) {
            channel.close();
            return;
        }
        HttpDecoderConfig bounds = new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.lineBytes())
                .setMaxHeaderSize(limits.headerBytes())
                .setMaxChunkSize(limits.headerBytes());
        channel.pipeline().addLast(new HttpServerCodec(bounds), new PageHandler(pages, limits.exchange()));
    }
}
