package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkHandler;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.PtcpSnapshot;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** A link's session whose other end is a list. */
final class RecordedSession {
    private final List<LinkFrame> sent = new CopyOnWriteArrayList<>();
    private final List<String> aborts = new CopyOnWriteArrayList<>();
    private volatile int streams = 1;
    private volatile long silentNs;

    /** Returns a session that the other end opened. */
    LinkSession session() {
        return session(LinkSession::accepting);
    }

    /** Returns a session that this end opened. */
    LinkSession opened() {
        return session(LinkSession::opening);
    }

    private LinkSession session(BiFunction<PtcpSession, LinkHandler, PtcpListener> side) {
        PtcpSession wire = (PtcpSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PtcpSession.class}, (self, method, arguments) -> {
                    Executor here = Runnable::run;
                    return switch (method.getName()) {
                        case "write" -> record((ByteBuf) arguments[0]);
                        case "isWritable" -> true;
                        case "isOpen" -> aborts.isEmpty();
                        case "abort" -> aborts.add(String.valueOf(arguments[0]));
                        case "snapshot" -> snapshot();
                        case "executor" -> here;
                        default -> null;
                    };
                });
        CompletableFuture<LinkSession> made = new CompletableFuture<>();
        side.apply(wire, new LinkHandler() {
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

    private boolean record(ByteBuf bytes) {
        boolean magic = bytes.readableBytes() == Integer.BYTES;
        return !magic && sent.add(LinkCodec.decode(bytes.skipBytes(Integer.BYTES)));
    }

    private PtcpSnapshot snapshot() {
        List<PtcpSnapshot.Stream> all = Collections.nCopies(streams, new PtcpSnapshot.Stream(1, 0, 0));
        return new PtcpSnapshot(0, 0, 0, 0, 0, streams, 0, silentNs, all);
    }

    /** Nothing has come for so long. */
    void silent(Duration time) {
        silentNs = time.toNanos();
    }

    /** All connections are lost. */
    void cut() {
        streams = 0;
    }

    /** Returns why the session was aborted, for each time. */
    List<String> aborts() {
        return List.copyOf(aborts);
    }

    /** Returns the frames of one kind that were sent so far. */
    <T extends LinkFrame> List<T> sent(Class<T> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
