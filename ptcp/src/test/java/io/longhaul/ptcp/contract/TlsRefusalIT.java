package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.net.ClientTls;
import io.longhaul.ptcp.net.Patience;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.net.PtcpServer;
import io.longhaul.ptcp.net.ServerTls;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may not speak: each end says why, and nothing falls back to plain connections. */
class TlsRefusalIT {
    private static final int TLS_1_2 = 0x0303;
    private static final int PROTOCOL_VERSION = 70; // the alert, RFC 8446 section 6.2

    @TempDir
    private static Path directory;

    private static Certificates authority;
    private static Certificates stranger;

    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final Queue<String> sessions = new ConcurrentLinkedQueue<>();
    private final PtcpClient client = PtcpClient.launch("test-client", 1);
    private PtcpServer server;

    @BeforeAll
    static void certify() throws Exception {
        authority = Certificates.authority(directory, "authority")
                .sign("server", "IP:127.0.0.1")
                .sign("elsewhere", "DNS:elsewhere.example,IP:192.0.2.1")
                .sign("client", "DNS:client");
        stranger = Certificates.authority(directory, "stranger").sign("strange-client", "DNS:client");
    }

    @AfterEach
    void stop() {
        client.close();
        if (server != null) {
            server.close();
        }
    }

    private void serve(Optional<SslContext> tls) throws IOException {
        server = PtcpServer.launch(
                new PtcpServer.Settings(
                        "test-server",
                        new InetSocketAddress("127.0.0.1", 0),
                        tls,
                        1,
                        100,
                        (kind, story) -> refused.add(kind + ": " + story)),
                PtcpConfig.defaults(),
                session -> {
                    sessions.add(session.id());
                    return new PtcpEnd(session, new Received(1));
                });
    }

    private static Optional<SslContext> tls(String name, boolean clientsToo) {
        return Optional.of(ServerTls.ofFiles(
                authority.certificate(name),
                authority.key(name),
                clientsToo ? Optional.of(authority.ca()) : Optional.empty()));
    }

    private static Optional<ClientTls> trusting(Certificates trusted) {
        return Optional.of(ClientTls.ofFiles(trusted.ca().toString(), "", true));
    }

    private static Optional<ClientTls> showing(Path certificate) {
        return Optional.of(ClientTls.ofFiles(authority.ca().toString(), certificate.toString(), true));
    }

    private PtcpException refusal(Optional<ClientTls> tls, int port) {
        Throwable thrown = catchThrowable(() -> open(tls, port).get(Patience.SECONDS, TimeUnit.SECONDS));
        assertThat(thrown).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(PtcpException.class);
        assertThat(sessions).isEmpty();
        assertThat(thrown.getCause()).hasMessageStartingWith("127.0.0.1:" + port + ": ");
        return (PtcpException) thrown.getCause();
    }

    private CompletableFuture<?> open(Optional<ClientTls> tls, int port) {
        return client.open(
                new PtcpClient.Target("127.0.0.1", port, tls, Optional.empty()),
                PtcpConfig.defaults(),
                session -> new PtcpEnd(session, new Received(1)));
    }

    private void awaitRefused(String part) {
        Patience.await()
                .untilAsserted(() -> assertThat(refused)
                        .anySatisfy(line -> assertThat(line)
                                .contains("connection from /127.0.0.1:")
                                .containsIgnoringCase(part)));
    }

    @Test
    void shouldRefuseTheServerWhenAnotherAuthoritySignedItsCertificate() throws Exception {
        // given
        serve(tls("server", false));

        // when
        PtcpException refusal = refusal(trusting(stranger), server.port());

        // then
        assertThat(refusal.code()).isEqualTo(PtcpException.Code.TLS);
        assertThat(refusal).hasMessageContaining("certificate that was shown is not accepted");
    }

    @Test
    void shouldRefuseTheServerWhenItsCertificateIsForAnotherHost() throws Exception {
        // given
        serve(tls("elsewhere", false));

        // when
        PtcpException refusal = refusal(trusting(authority), server.port());

        // then
        assertThat(refusal.code()).isEqualTo(PtcpException.Code.TLS);
        assertThat(refusal).hasMessageContaining("not accepted").hasMessageContaining("127.0.0.1 found");
    }

    @Test
    void shouldAcceptTheServerOfAnotherHostWhenTheHostIsNotToBeChecked() throws Exception {
        // given
        serve(tls("elsewhere", false));
        ClientTls unchecked = ClientTls.ofFiles(authority.ca().toString(), "", false);

        // when then
        open(Optional.of(unchecked), server.port()).get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldRefuseTheClientWhenItShowsNoCertificate() throws Exception {
        // given
        serve(tls("server", true));

        // when
        PtcpException refusal = refusal(trusting(authority), server.port());

        // then
        assertThat(refusal.code()).isEqualTo(PtcpException.Code.TLS);
        assertThat(refusal.getMessage()).containsPattern("(?i)certificate");
        awaitRefused("certificate");
    }

    @Test
    void shouldRefuseTheClientWhenAnotherAuthoritySignedItsCertificate() throws Exception {
        // given
        serve(tls("server", true));

        // when
        PtcpException refusal = refusal(showing(stranger.both("strange-client")), server.port());

        // then
        assertThat(refusal.code()).isEqualTo(PtcpException.Code.TLS);
        assertThat(refusal.getMessage()).containsPattern("(?i)certificate");
        awaitRefused("certif");
    }

    @Test
    void shouldAcceptTheClientWhenItsCertificateIsKnown() throws Exception {
        // given
        serve(tls("server", true));

        // when then
        open(showing(authority.both("client")), server.port()).get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldNotSpeakPlainWhenTheServerHasNoTls() throws Exception {
        // given
        serve(Optional.empty());

        // when
        PtcpException refusal = refusal(trusting(authority), server.port());

        // then
        assertThat(refusal.code()).isEqualTo(PtcpException.Code.TLS);
        assertThat(refusal).hasMessageContaining("expected parallel TCP over TLS");
        awaitRefused("bytes that are no greeting");
    }

    @Test
    void shouldNotSpeakPlainWhenTheClientHasNoTls() throws Exception {
        // given
        serve(tls("server", false));

        // when
        PtcpException refusal = refusal(Optional.empty(), server.port());

        // then
        assertThat(refusal).hasMessageContaining("expected parallel TCP without TLS");
        awaitRefused("TLS");
    }

    @Test
    void shouldSpeakTls12WhenTheClientKnowsNoOther() throws Exception {
        // given
        serve(tls("server", false));
        SslContext old = SslContextBuilder.forClient()
                .trustManager(authority.ca().toFile())
                .protocols("TLSv1.2")
                .build();

        // when then
        open(Optional.of(new ClientTls(old, true)), server.port()).get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0301, 0x0302})
    void shouldRefuseTheClientWhenItsTlsIsOld(int version) throws Exception {
        // given
        serve(tls("server", false));

        // when
        byte[] answer;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(Patience.SECONDS * 1000);
            socket.getOutputStream().write(clientHello(version));
            answer = socket.getInputStream().readAllBytes();
        }

        // then
        assertThat(answer[0]).as("record type of the answer").isEqualTo((byte) 21);
        assertThat(answer[answer.length - 1]).as("alert").isEqualTo((byte) PROTOCOL_VERSION);
        assertThat(sessions).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0301, 0x0302})
    void shouldRefuseTheServerWhenItsTlsIsOld(int version) throws Exception {
        // given
        try (ServerSocket old = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture.runAsync(() -> answer(old, serverHello(version)));

            // when
            PtcpException refusal = refusal(trusting(authority), old.getLocalPort());

            // then
            assertThat(refusal.code()).isEqualTo(PtcpException.Code.TLS);
            assertThat(refusal.getMessage()).containsPattern("(?i)version|unsupported.protocol");
        }
    }

    private static void answer(ServerSocket server, byte[] bytes) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().read();
            socket.getOutputStream().write(bytes);
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] clientHello(int version) {
        return hello(1, version, new byte[] {0, 4, (byte) 0xc0, 0x13, 0, 0x2f, 1, 0});
    }

    private static byte[] serverHello(int version) {
        return hello(2, version, new byte[] {(byte) 0xc0, 0x13, 0});
    }

    /** A record with one handshake message up to TLS 1.2: version, 32 random bytes, no session id, then the rest. */
    private static byte[] hello(int type, int version, byte[] rest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        int length = Short.BYTES + 32 + 1 + rest.length;
        byte[] random = new byte[32];
        Arrays.fill(random, (byte) 7);
        try {
            out.writeByte(22);
            out.writeShort(Math.min(version, TLS_1_2));
            out.writeShort(Integer.BYTES + length);
            out.writeInt(type << 24 | length);
            out.writeShort(version);
            out.write(random);
            out.writeByte(0);
            out.write(rest);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }
}
