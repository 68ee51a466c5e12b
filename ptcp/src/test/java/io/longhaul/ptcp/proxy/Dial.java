package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One connection through a proxy whose part the test plays; what comes out behind the handler is written down. */
final class Dial implements AutoCloseable {
    static final String TARGET = "broker:5671";
    static final String OK = "HTTP/1.1 200 Connection established\r\n\r\n";

    final List<String> events = new ArrayList<>();
    private final List<ByteBuf> answers = new ArrayList<>();
    final EmbeddedChannel channel;
    final ChannelFuture future;

    private Dial(HttpProxySession session, InetSocketAddress target) {
        channel = new EmbeddedChannel(session.newHandler(), new ChannelInboundHandlerAdapter() {
            @Override
            public void channelActive(ChannelHandlerContext ctx) {
                events.add("active");
            }

            @Override
            public void channelInactive(ChannelHandlerContext ctx) {
                events.add("inactive");
            }

            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                String text = message instanceof ByteBuf bytes ? bytes.toString(StandardCharsets.UTF_8) : "" + message;
                events.add("read " + text);
                ReferenceCountUtil.release(message);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                events.add("error " + cause);
            }
        });
        future = channel.connect(target);
    }

    static Dial of(HttpProxySession session, String host, int port) {
        return new Dial(session, InetSocketAddress.createUnresolved(host, port));
    }

    static Dial of(HttpProxySession session) {
        return of(session, "broker", 5671);
    }

    /** Returns what goes to a proxy at an address that needs no lookup, which happens in the caller's thread. */
    static HttpProxySession session(String user, String password) {
        HttpProxy proxy = new HttpProxy("10.0.0.1", 3128, user, password);
        return new HttpProxySession(proxy, Runnable::run, () -> "0a4f113b");
    }

    /** Lets the proxy say something. */
    Dial answer(String text) {
        return answer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Dial answer(byte[] bytes) {
        ByteBuf buffer = Unpooled.buffer().writeBytes(bytes);
        answers.add(buffer);
        channel.writeInbound(buffer);
        return this;
    }

    /** Returns what the proxy was sent since the last call. */
    String sent() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            text.append(bytes.toString(StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return text.toString();
    }

    /** Returns a parameter of the request that the proxy was sent since the last call. */
    static String parameter(String request, String name) {
        String quoted = request.replaceAll("(?s).*[ ,]" + name + "=\"?([^\",\r]*).*", "$1");
        return quoted.equals(request) ? "" : quoted;
    }

    HttpProxyException failure() {
        assertThat(future.cause()).isInstanceOf(HttpProxyException.class);
        assertThat(channel.isOpen()).isFalse();
        return (HttpProxyException) future.cause();
    }

    boolean isOpen() {
        return future.isSuccess() && channel.isOpen();
    }

    @Override
    public void close() {
        assertThat(channel.finishAndReleaseAll()).as("bytes left behind").isFalse();
        assertThat(answers).allSatisfy(bytes -> assertThat(bytes.refCnt()).isZero());
    }
}
