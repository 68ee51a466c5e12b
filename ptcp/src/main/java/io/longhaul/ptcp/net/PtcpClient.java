package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.proxy.HttpProxySession;
import io.longhaul.ptcp.session.Session;
import io.longhaul.ptcp.session.SessionTerms;
import io.longhaul.ptcp.session.Takeover;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Opens sessions; owns the threads that they run on.
 *
 * <p>Thread-safe; nothing blocks.
 */
public final class PtcpClient implements AutoCloseable {
    private static final int QUIET_MILLIS = 50;
    private static final int STOP_MILLIS = 2000;
    private static final int MOST_ADDRESSES = 8;
    private static final int FIRST_MILLIS = 1500;
    private final EventLoopGroup loops;
    private final Names names;
    private final Map<SessionId, Session> sessions = new ConcurrentHashMap<>();
    private final Set<Runnable> givingUp = ConcurrentHashMap.newKeySet(); // what is dialled and not answered
    private final AtomicBoolean closing = new AtomicBoolean();

    private PtcpClient(EventLoopGroup loops, Names names) {
        this.loops = loops;
        this.names = names;
    }

    /** Returns a client whose sessions run on a number of threads, named after {@code name}. */
    public static PtcpClient launch(String name, int threads) {
        return launch(name, threads, host -> List.of(InetAddress.getAllByName(host)));
    }

    /** Returns one that looks names up in a way of its own, which may block. */
    static PtcpClient launch(String name, int threads, Names.Lookup lookup) {
        return new PtcpClient(Sockets.loops(name, threads), new Names(name, lookup));
    }

    /**
     * Where a session goes.
     *
     * @param tls empty for a plain connection
     * @param proxy empty to connect directly
     */
    public record Target(String host, int port, Optional<ClientTls> tls, Optional<HttpProxySession> proxy) {
        /** A place that is reached directly and in the clear. */
        public static Target plain(String host, int port) {
            return new Target(host, port, Optional.empty(), Optional.empty());
        }

        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * Opens a session; the future is done once the first stream stands, and fails with a {@link PtcpException}.
     *
     * @param listeners gives the session its listener before anything can arrive
     */
    public CompletableFuture<PtcpSession> open(
            Target target, PtcpConfig config, Function<PtcpSession, PtcpListener> listeners) {
        Greeting greeting = Greeting.open(
                config.streams() == PtcpConfig.AUTO ? config.maxStreams() : config.streams(),
                config.packetBytes(),
                config.firstWindowBytes());
        CompletableFuture<PtcpSession> opened = new CompletableFuture<>();
        reach(target, config, greeting).whenComplete((reached, failure) -> {
            if (failure != null) {
                opened.completeExceptionally(DialFailures.bare(failure));
            } else {
                // there also when the answer was faster than this
                reached.answered()
                        .channel()
                        .eventLoop()
                        .execute(() -> begin(target, config, reached, listeners, opened));
            }
        });
        return opened;
    }

    /** On the event loop of the control channel. */
    private void begin(
            Target target,
            PtcpConfig config,
            Reached reached,
            Function<PtcpSession, PtcpListener> listeners,
            CompletableFuture<PtcpSession> opened) {
        Channel channel = reached.answered().channel();
        Answer answer = reached.answered().answer();
        if (answer.number() < 1 || answer.packetBytes() < PtcpConfig.LEAST_PACKET_BYTES || answer.windowBytes() < 1) {
            channel.close();
            opened.completeExceptionally(new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    target + ": an answer with " + answer.number() + " streams, packets of " + answer.packetBytes()
                            + " bytes, a window of " + answer.windowBytes() + " bytes"));
            return;
        }
        SessionTerms terms = new SessionTerms(
                answer.session(),
                answer.secret(),
                Math.min(answer.number(), config.maxStreams()),
                Math.min(answer.packetBytes(), config.packetBytes()),
                config.windowBytes(),
                answer.windowBytes());
        Session session;
        try {
            session = new Session(
                    terms,
                    config,
                    channel,
                    (kind, number) -> connect(
                                    target,
                                    reached.address(),
                                    millis(config),
                                    config,
                                    Greeting.further(kind, terms.id(), number, terms.secret()),
                                    channel.eventLoop())
                            .thenApply(Welcome.Answered::channel),
                    made -> new Opening(made, listeners.apply(made), opened),
                    cause -> ended(terms.id()),
                    System::nanoTime);
        } catch (RuntimeException | Error e) {
            channel.close();
            opened.completeExceptionally(
                    new PtcpException(PtcpException.Code.ABORTED, "this end failed: " + e.getMessage(), e));
            return;
        }
        sessions.put(terms.id(), session);
        session.start();
    }

    /**
     * The first connection of a session.
     *
     * @param address where it went, and all others go: one of the target's; its name where a proxy looks that up
     */
    private record Reached(InetSocketAddress address, Welcome.Answered answered) {}

    /** Looks the target up and tries its addresses one after the other: all that shares the time of one connection. */
    private CompletableFuture<Reached> reach(Target target, PtcpConfig config, Greeting greeting) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis(config));
        return addresses(target, config)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(DialFailures.named(target, failure)))
                .thenCompose(addresses -> {
                    long left = left(endNs);
                    // a first SYN that is lost goes out again after 1 s
                    long first = Math.max(left / addresses.size(), Math.min(FIRST_MILLIS, left / 2));
                    return reach(addresses, first, endNs, target, config, greeting);
                });
    }

    /** What is wrong with the best address is told, unless another one is more than unreachable. */
    private CompletableFuture<Reached> reach(
            List<InetSocketAddress> addresses,
            long millis,
            long endNs,
            Target target,
            PtcpConfig config,
            Greeting greeting) {
        InetSocketAddress address = addresses.get(0);
        List<InetSocketAddress> others = addresses.subList(1, addresses.size());
        return connect(target, address, Math.max(1, millis), config, greeting, loops)
                .thenApply(answered -> new Reached(address, answered))
                .exceptionallyCompose(failure -> others.isEmpty() || !DialFailures.isUnreachable(failure)
                        ? CompletableFuture.failedFuture(DialFailures.bare(failure))
                        : reach(others, left(endNs) / others.size(), endNs, target, config, greeting)
                                .exceptionallyCompose(later -> CompletableFuture.failedFuture(
                                        DialFailures.bare(DialFailures.isUnreachable(later) ? failure : later))));
    }

    private static long left(long endNs) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime()));
    }

    /** A proxy looks the name up itself. */
    private CompletableFuture<List<InetSocketAddress>> addresses(Target target, PtcpConfig config) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(target.host());
        if (target.proxy().isPresent()) {
            return CompletableFuture.completedFuture(
                    List.of(InetSocketAddress.createUnresolved(target.host(), target.port())));
        } else if (literal != null) {
            return CompletableFuture.completedFuture(List.of(new InetSocketAddress(literal, target.port())));
        }
        CompletableFuture<List<InetSocketAddress>> result = awaited();
        if (!result.isDone()) {
            Future<?> limit = loops.schedule(
                    () -> result.completeExceptionally(noAnswer(target, config)),
                    millis(config),
                    TimeUnit.MILLISECONDS);
            names.find(target.host()).whenComplete((found, failure) -> {
                limit.cancel(false);
                if (failure != null) {
                    result.completeExceptionally(failure);
                } else {
                    result.complete(found.stream()
                            .limit(MOST_ADDRESSES)
                            .map(address -> new InetSocketAddress(address, target.port()))
                            .toList());
                }
            });
        }
        return result;
    }

    private static int millis(PtcpConfig config) {
        return (int) config.connectTimeout().toMillis();
    }

    /** With a proxy that wants to know who asks, its first answer only says how to tell it. */
    private CompletableFuture<Welcome.Answered> connect(
            Target target,
            InetSocketAddress address,
            long millis,
            PtcpConfig config,
            Greeting greeting,
            EventLoopGroup where) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        return connectOnce(target, address, millis, config, greeting, where)
                .exceptionallyCompose(failure -> DialFailures.isChallenge(failure)
                        ? connectOnce(target, address, left(endNs), config, greeting, where)
                        : CompletableFuture.failedFuture(failure))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(DialFailures.named(target, failure)));
    }

    /** Returns a future that fails when the client closes. */
    private <T> CompletableFuture<T> awaited() {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable giveUp = () -> result.completeExceptionally(closed());
        givingUp.add(giveUp);
        result.whenComplete((value, failure) -> givingUp.remove(giveUp));
        // asked last: who closes meanwhile finds it there
        if (closing.get()) {
            giveUp.run();
        }
        return result;
    }

    /** Takes how long it may take until the answer is there. */
    private CompletableFuture<Welcome.Answered> connectOnce(
            Target target,
            InetSocketAddress address,
            long millis,
            PtcpConfig config,
            Greeting greeting,
            EventLoopGroup where) {
        CompletableFuture<Welcome.Answered> result = awaited();
        if (result.isDone()) {
            return result;
        }
        Bootstrap bootstrap = new Bootstrap()
                .group(where)
                .channel(Sockets.client())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) millis)
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        target.proxy().ifPresent(proxy -> channel.pipeline().addLast(proxy.newHandler()));
                        target.tls()
                                .ifPresent(tls -> channel.pipeline()
                                        .addLast("ssl", tls.newHandler(channel.alloc(), target.host(), target.port())));
                        channel.pipeline()
                                .addLast(
                                        Takeover.GREETING,
                                        new Welcome(greeting, target.tls().isPresent(), result));
                        Future<?> limit = channel.eventLoop()
                                .schedule(() -> expire(channel, result, target, config), millis, TimeUnit.MILLISECONDS);
                        result.whenComplete((answered, failure) -> limit.cancel(false));
                    }
                });
        Sockets.configure(config, bootstrap::option);
        bootstrap.connect(address).addListener(connected -> {
            if (!connected.isSuccess()) {
                result.completeExceptionally(connected.cause());
            }
        });
        return result;
    }

    private static PtcpException closed() {
        return new PtcpException(PtcpException.Code.ABORTED, "this end is closing");
    }

    private static void expire(
            Channel channel, CompletableFuture<Welcome.Answered> result, Target target, PtcpConfig config) {
        if (result.completeExceptionally(noAnswer(target, config))) {
            channel.close();
        }
    }

    private static PtcpException noAnswer(Target target, PtcpConfig config) {
        String way = target.proxy().map(proxy -> "proxy " + proxy + ": ").orElse("");
        return new PtcpException(PtcpException.Code.UNREACHABLE, way + "no answer within " + millis(config) + " ms");
    }

    private void ended(SessionId id) {
        sessions.remove(id);
        if (closing.get() && sessions.isEmpty()) {
            stop();
        }
    }

    /** Closes all sessions, which have 2 s to end in order, and then ends the threads. Does not wait. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        names.close();
        loops.schedule(this::stop, STOP_MILLIS, TimeUnit.MILLISECONDS);
        sessions.values().forEach(Session::close);
        if (sessions.isEmpty()) {
            stop();
        }
    }

    private void stop() {
        sessions.values().forEach(session -> session.abort("this end is closing"));
        // a loop that ends tells nobody of what was not connected yet
        givingUp.forEach(Runnable::run);
        loops.shutdownGracefully(QUIET_MILLIS, STOP_MILLIS, TimeUnit.MILLISECONDS);
    }
}
