package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.contract.Certificates;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An acceptor that echoes, with a {@link Neighbour} whom nothing may harm, and what it all costs. */
final class Site implements AutoCloseable {
    static final Duration GREETING_LIMIT = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    static final PtcpConfig OPENER =
            PtcpConfig.defaults().withStreams(2).withLimits(LIMIT.multipliedBy(2), LIMIT, LIMIT.multipliedBy(2), LIMIT);

    private final Costs before = new Costs();
    private final Queue<RecordedLog.Line> refused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
    private final long startNs = System.nanoTime();
    private final PtcpServer server;
    private final PtcpClient client = PtcpClient.launch("test-client", 1);
    private final Optional<ClientTls> tls;
    private final Neighbour neighbour;
    private final Costs costs;

    Site(int maxConnections) throws Exception {
        this(maxConnections, GREETING_LIMIT);
    }

    /** Gives who connects so long to say who it is. */
    Site(int maxConnections, Duration greetingLimit) throws Exception {
        this(maxConnections, greetingLimit, port -> port, false, Optional.empty());
    }

    /** The neighbour dials what {@code between} makes of the server's port. */
    Site(int maxConnections, IntUnaryOperator between) throws Exception {
        this(maxConnections, GREETING_LIMIT, between, false, Optional.empty());
    }

    /** With logins, whoever has sent something is known. */
    Site(int maxConnections, IntUnaryOperator between, boolean logins) throws Exception {
        this(maxConnections, GREETING_LIMIT, between, logins, Optional.empty());
    }

    /** Returns one that speaks TLS, with the certificate {@code server} of this authority. */
    static Site secured(int maxConnections, Duration greetingLimit, Certificates authority) throws Exception {
        return new Site(maxConnections, greetingLimit, port -> port, false, Optional.of(authority));
    }

    private Site(
            int maxConnections,
            Duration greetingLimit,
            IntUnaryOperator between,
            boolean logins,
            Optional<Certificates> authority)
            throws Exception {
        RecordedLog.clear();
        tls = authority.map(known -> ClientTls.ofFiles(known.ca().toString(), "", true));
        server = PtcpServer.launch(
                new PtcpServer.Settings(
                        "test-server",
                        new InetSocketAddress("127.0.0.1", 0),
                        authority.map(known ->
                                ServerTls.ofFiles(known.certificate("server"), known.key("server"), Optional.empty())),
                        2,
                        maxConnections,
                        logins,
                        (kind, story) -> refused.add(new RecordedLog.Line(kind, story))),
                PtcpConfig.defaults().withStreams(2).withLimits(greetingLimit, LIMIT, LIMIT, LIMIT),
                this::echo);
        neighbour = open(between.applyAsInt(server.port())).get(Patience.SECONDS, TimeUnit.SECONDS);
        neighbour.assertUnharmed();
        Patience.await().until(() -> neighbour.session().snapshot().streams().size() == 2);
        costs = new Costs();
    }

    /** Opens one more session of the good kind. */
    CompletableFuture<Neighbour> open(int port) {
        CompletableFuture<Neighbour> made = new CompletableFuture<>();
        return client.open(new PtcpClient.Target("127.0.0.1", port, tls, Optional.empty()), OPENER, session -> {
                    Neighbour one = new Neighbour(session, timers);
                    made.complete(one);
                    return one;
                })
                .thenCompose(session -> made);
    }

    /** Opens one more session, and looks whether it is served. */
    Neighbour newcomer() throws Exception {
        Neighbour newcomer = open(port()).get(Patience.SECONDS, TimeUnit.SECONDS);
        newcomer.assertUnharmed();
        return newcomer;
    }

    /** Returns so many who connect and say nothing. */
    List<Stranger> crowd(int count) throws IOException {
        List<Stranger> crowd = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            crowd.add(Stranger.connect(port()));
        }
        return crowd;
    }

    private PtcpListener echo(PtcpSession session) {
        sessions.incrementAndGet();
        return new PtcpListener() {
            @Override
            public void received(ByteBuf bytes) {
                session.trust();
                session.write(bytes.retainedSlice());
            }

            @Override
            public void writabilityChanged(boolean writable) {
                session.setReading(writable);
            }

            @Override
            public void closed(@Nullable PtcpException cause) {
                sessions.decrementAndGet();
            }
        };
    }

    int port() {
        return server.port();
    }

    Neighbour neighbour() {
        return neighbour;
    }

    Costs costs() {
        return costs;
    }

    /** Returns everything that was told and logged. */
    List<RecordedLog.Line> lines() {
        return Stream.concat(refused.stream(), RecordedLog.lines().stream()).toList();
    }

    /** Waits until something of a kind was told. */
    void awaitLine(String kind, String part) {
        Patience.await()
                .untilAsserted(() -> assertThat(lines())
                        .anyMatch(line ->
                                line.kind().contains(kind) && line.text().contains(part)));
    }

    /** Checks all that a stranger must not change, once the strangers are gone. */
    void assertUnharmed() {
        neighbour.assertUnharmed();
        Patience.await().untilAsserted(() -> assertThat(sessions).hasValue(1));
        costs.awaitAsBefore();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
        Map<String, Long> counts =
                lines().stream().collect(Collectors.groupingBy(RecordedLog.Line::kind, Collectors.counting()));
        assertThat(counts.values()).as("%s", counts).allMatch(count -> count <= seconds + 1);
        neighbour.assertUnharmed();
    }

    @Override
    public void close() {
        neighbour.stop();
        client.close();
        server.close();
        timers.shutdownNow();
        Patience.await().until(() -> before.moreSockets() <= 0);
    }
}
