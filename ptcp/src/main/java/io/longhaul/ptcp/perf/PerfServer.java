package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.UnknownHost;
import io.longhaul.ptcp.net.PtcpServer;
import io.longhaul.ptcp.net.ServerTls;
import io.netty.handler.ssl.SslContext;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Serves tests, several at a time, to whoever comes; owns the threads that they run on. Thread-safe. */
public final class PerfServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 512;
    private final PtcpServer server;
    private final TestBytes testBytes;

    private PerfServer(PtcpServer server, TestBytes testBytes) {
        this.server = server;
        this.testBytes = testBytes;
    }

    /**
     * Where and how to serve.
     *
     * @param host name or address to listen on
     * @param port 0 takes a free one
     * @param tls empty for plain connections
     * @param threads number of event loops
     */
    public record Settings(String host, int port, Optional<Tls> tls, int threads) {}

    /** PEM files: the certificate with its chain, and its unencrypted PKCS#8 key. */
    public record Tls(Path certificate, Path key) {}

    /** Is told how tests end; on their event loops, so it must not block. */
    public interface Observer {
        /** A test has a result. */
        void tested(String from, PerfResult result);

        /** A test, or a connection that was to become one, failed; told of one of each kind in a second. */
        void failed(String reason);
    }

    /** Listens; throws {@link PtcpException} CANNOT_LISTEN, and {@link IllegalArgumentException} for bad files. */
    public static PerfServer launch(Settings settings, PtcpConfig config, PerfMachine machine, Observer observer) {
        Optional<SslContext> tls =
                settings.tls().map(files -> ServerTls.ofFiles(files.certificate(), files.key(), Optional.empty()));
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        if (address.isUnresolved()) {
            throw new PtcpException(
                    PtcpException.Code.CANNOT_LISTEN, "cannot listen on " + UnknownHost.words(settings.host()));
        }
        TestBytes testBytes = new TestBytes();
        try {
            PtcpServer.Settings where = new PtcpServer.Settings(
                    "ptcp-perf-server",
                    address,
                    tls,
                    settings.threads(),
                    MOST_CONNECTIONS,
                    (kind, story) -> observer.failed(story));
            PtcpServer server = PtcpServer.launch(
                    where, config, session -> accepted(session, machine, testBytes, observer, where.refused()));
            return new PerfServer(server, testBytes);
        } catch (IOException e) {
            testBytes.close();
            throw new PtcpException(PtcpException.Code.CANNOT_LISTEN, "cannot listen on " + e.getMessage(), e);
        }
    }

    private static PtcpListener accepted(
            PtcpSession session,
            PerfMachine machine,
            TestBytes testBytes,
            Observer observer,
            BiConsumer<String, String> refused) {
        Conversation conversation = new Conversation(session, machine, testBytes, null);
        conversation.result().whenComplete((result, failure) -> {
            String from = from(session);
            if (failure == null) {
                observer.tested(from, result);
            } else if (conversation.isOpened()) { // of others the server tells
                refused.accept("test", "test from " + from + ": " + failure.getMessage());
            }
        });
        return conversation;
    }

    private static String from(PtcpSession session) {
        return session.remoteAddress() instanceof InetSocketAddress address
                ? NetUtil.toSocketAddressString(address)
                : session.remoteAddress().toString();
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.port();
    }

    /** Ends everything at once. */
    @Override
    public void close() {
        server.close();
        testBytes.close();
    }
}
