package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.ClientTls;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.net.PtcpServer;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Parallel TCP between two ends of one process. */
abstract class AbstractPtcpContract extends AbstractTransportContract {
    private PtcpServer server;
    private PtcpClient client;

    abstract PtcpConfig config();

    Optional<SslContext> serverTls() throws Exception {
        return Optional.empty();
    }

    Optional<ClientTls> clientTls() throws Exception {
        return Optional.empty();
    }

    /** Where the opener dials to reach the server's port: another port when something stands between. */
    int between(int port) throws Exception {
        return port;
    }

    @Override
    Ends connect() throws Exception {
        CompletableFuture<PtcpEnd> accepted = new CompletableFuture<>();
        server = PtcpServer.launch(
                new PtcpServer.Settings(
                        "test-server",
                        new InetSocketAddress("127.0.0.1", 0),
                        serverTls(),
                        2,
                        1000,
                        (kind, text) -> System.out.println(kind + ": " + text)),
                config(),
                session -> {
                    PtcpEnd end = new PtcpEnd(session, new Received(OPENERS));
                    accepted.complete(end);
                    return end;
                });
        client = PtcpClient.launch("test-client", 2);
        CompletableFuture<PtcpEnd> opened = new CompletableFuture<>();
        PtcpClient.Target target =
                new PtcpClient.Target("127.0.0.1", between(server.port()), clientTls(), Optional.empty());
        client.open(target, config(), session -> {
                    PtcpEnd end = new PtcpEnd(session, new Received(ACCEPTORS));
                    opened.complete(end);
                    return end;
                })
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return new Ends(opened.get(), accepted.get());
    }

    @Test
    void shouldCloseInOrderWhenTheClientIsClosed() throws Exception {
        // given
        Ends ends = connect();
        send(ends.opener(), OPENERS, MIB, MIB);
        awaitExactly(ends.acceptor(), MIB);

        // when
        client.close();

        // then
        assertThat(ends.acceptor().received().closed().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(ends.acceptor().received().cause()).isNull();
    }

    @Override
    void disconnect() throws Exception {
        client.close();
        server.close();
    }
}
