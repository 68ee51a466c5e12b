package io.longhaul.broker.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the first request of a connection and closes it; a connection that takes too long is closed unanswered.
 *
 * <p>The answer goes out at once, and the connection closes when the request has ended too: closed earlier, what still
 * comes in would take the answer away from the client. A body is read past and not kept.
 */
final class PageHandler extends SimpleChannelInboundHandler<HttpObject> {
    private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);
    private static final String ALLOWED = HttpMethod.GET + ", " + HttpMethod.HEAD;

    private final Pages pages;
    private final Duration limit;
    private @Nullable ChannelFuture answered; // event loop only

    PageHandler(Pages pages, Duration limit) {
        this.pages = pages;
        this.limit = limit;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ChannelFuture closed = context.channel().closeFuture();
        var deadline = context.executor().schedule(() -> context.close(), limit.toNanos(), TimeUnit.NANOSECONDS);
        closed.addListener(end -> deadline.cancel(false));
        context.fireChannelActive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        ChannelFuture answer = answered;
        if (answer == null && part instanceof HttpRequest request) {
            answer = context.writeAndFlush(response(request));
            answered = answer;
        }
        // What cannot be read has no end.
        if (answer != null
                && (part instanceof LastHttpContent || part.decoderResult().isFailure())) {
            answer.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private FullHttpResponse response(HttpRequest request) {
        Page page = page(request);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(page.status()),
                Unpooled.copiedBuffer(page.body(), StandardCharsets.UTF_8));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        if (page.status() == HttpResponseStatus.METHOD_NOT_ALLOWED.code()) {
            response.headers().set(HttpHeaderNames.ALLOW, ALLOWED);
        }
        return response;
    }

    private Page page(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return malformed(request.decoderResult().cause());
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return Page.line(HttpResponseStatus.METHOD_NOT_ALLOWED.code(), "expected one of " + ALLOWED);
        }
        String path = pathOf(request.uri());
        try {
            return pages.page(path)
                    .orElseGet(() -> Page.line(HttpResponseStatus.NOT_FOUND.code(), "there is nothing of this name"));
        } catch (RuntimeException e) {
            LOG.debug("{} cannot be made", path, e);
            return Page.line(HttpResponseStatus.INTERNAL_SERVER_ERROR.code(), "the page cannot be made: " + e);
        }
    }

    /** Clients may name the server, too, as they do for a proxy: RFC 9112, section 3.2.2. */
    private static String pathOf(String uri) {
        return uri.replaceFirst("^(?i:https?)://[^/?]*", "").split("\\?", 2)[0];
    }

    private static Page malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Page.line(HttpResponseStatus.REQUEST_URI_TOO_LONG.code(), "the request's first line is too long");
        }
        return cause instanceof TooLongHttpHeaderException
                ? Page.line(
                        HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE.code(), "the request's header is too large")
                : Page.line(HttpResponseStatus.BAD_REQUEST.code(), "expected a request of HTTP/1.1");
    }

    /** A client that breaks off is no news. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("connection of {} closed: {}", context.channel().remoteAddress(), cause.toString());
        context.close();
    }
}
