package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkHandler;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** A link's session whose other end is a list. */
final class RecordedSession {
    private final List<LinkFrame> sent = new CopyOnWriteArrayList<>();

    LinkSession session() {
        PtcpSession wire = (PtcpSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PtcpSession.class}, (self, method, arguments) -> {
                    Executor here = Runnable::run;
                    return switch (method.getName()) {
                        case "write" -> sent.add(LinkCodec.decode(((ByteBuf) arguments[0]).skipBytes(Integer.BYTES)));
                        case "isWritable" -> true;
                        case "executor" -> here;
                        default -> null;
                    };
                });
        CompletableFuture<LinkSession> made = new CompletableFuture<>();
        LinkSession.accepting(wire, new LinkHandler() {
                    @Override
                    public void opened(LinkSession session) {
                        made.complete(session);
                    }

                    @Override
                    public void received(LinkSession session, LinkFrame frame) {}

                    @Override
                    public void writable(LinkSession session) {}

                    @Override
                    public void ended(LinkSession session, String why) {}
                })
                .opened();
        return made.join();
    }

    /** Returns the frames of one kind that were sent so far. */
    <T extends LinkFrame> List<T> sent(Class<T> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
