package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.SessionSendMessage;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrangerIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path directory;

    private BrokerConfig config() {
        return BrokerConfig.of("one", directory.resolve("data")).withListenCoreOnly("127.0.0.1:0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "http", "length", "packet", "truncated"})
    void shouldDropConnectionWhenBytesAreGarbage(String kind) throws Exception {
        // given
        try (Broker broker = Broker.launch(config());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.corePort())) {
            socket.setSoTimeout(15_000);

            // when
            try {
                OutputStream out = socket.getOutputStream();
                out.write(garbage(kind));
                out.flush();
            } catch (SocketException e) {
                // dropped while still writing is dropped too
            }

            // then
            assertThat(readToEnd(socket)).isZero();
            try (Client client = Client.connect(broker.corePort()).subscription("t", "s")) {
                client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 0, new byte[1000]));
            }
        }
    }

    /** The server's own decoder would ask for as much memory as such a message says. */
    @Test
    void shouldDropTheConnectionOfAUserWhenLengthsInAMessageDoNotFit() throws Exception {
        // given
        try (Broker broker = Broker.launch(config());
                Client honest = Client.connect(broker.corePort()).subscription("t", "s");
                ServerLocator locator = ActiveMQClient.createServerLocatorWithoutHA(new TransportConfiguration(
                        NettyConnectorFactory.class.getName(),
                        Map.of("host", "127.0.0.1", "port", broker.corePort())))) {
            locator.setReconnectAttempts(0).addOutgoingInterceptor((packet, connection) -> lie(packet));
            ClientSession liar = locator.createSessionFactory().createSession();
            ClientMessage message = liar.createMessage(false);
            message.putBytesProperty("lh_piece", new byte[] {1, 2, 3});

            // when
            liar.createProducer("lh.topic.t").send(message);

            // then
            await().until(liar::isClosed);
            honest.sendAndWait("lh.topic.t", honest.message("piece", TRANSFER, 0, new byte[1000]));
        }
    }

    /** The message's only property is the last that is encoded, three bytes behind their number. */
    private static boolean lie(Packet packet) {
        if (packet instanceof SessionSendMessage send) {
            CoreMessage message = (CoreMessage) send.getMessage();
            int length = message.getEncodeSize() - 3 - Integer.BYTES;
            assertThat(message.getBuffer().getInt(length)).isEqualTo(3);
            message.getBuffer().setInt(length, 1_000_000);
        }
        return true;
    }

    private static byte[] garbage(String kind) {
        byte[] preamble = "ARTEMIS".getBytes(StandardCharsets.US_ASCII);
        byte[] random = new byte[100_000];
        new Random(7).nextBytes(random);
        return switch (kind) {
            case "random" -> random;
            case "http" ->
                ("POST / HTTP/1.1\r\nContent-Length: 2000000000\r\n\r\n" + "x".repeat(100_000))
                        .getBytes(StandardCharsets.US_ASCII);
            case "length" ->
                ByteBuffer.allocate(11).put(preamble).putInt(Integer.MAX_VALUE).array();
            case "packet" ->
                ByteBuffer.allocate(7 + 4 + 100)
                        .put(preamble)
                        .putInt(100)
                        .put(Arrays.copyOf(random, 100))
                        .array();
            default ->
                ByteBuffer.allocate(7 + 4 + 13)
                        .put(preamble)
                        .putInt(13)
                        .put((byte) 30)
                        .putLong(1)
                        .putInt(Integer.MAX_VALUE)
                        .array();
        };
    }

    private static int readToEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (SocketException e) {
            return 0;
        }
    }

    @Test
    void shouldSpeakTlsWhenGivenPemFiles() throws Exception {
        // given
        Path key = directory.resolve("key.pem");
        Path certificate = directory.resolve("cert.pem");
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=localhost",
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString())
                .redirectErrorStream(true)
                .start();
        openssl.getInputStream().readAllBytes();
        assertThat(openssl.waitFor(30, TimeUnit.SECONDS) && openssl.exitValue() == 0)
                .isTrue();
        Map<String, Object> transport =
                Map.of("sslEnabled", true, "trustStoreType", "PEMCA", "trustStorePath", certificate.toString());
        BrokerConfig tls = config().withTls(new BrokerConfig.TlsFiles(certificate, key, Optional.empty()));

        try (Broker broker = Broker.launch(tls);
                Client client =
                        Client.connect(broker.corePort(), "", "", transport).subscription("t", "s")) {
            // when then
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 0, new byte[3_000_000]));
            assertThatThrownBy(() -> Client.connect(broker.corePort(), Duration.ofSeconds(5)))
                    .isInstanceOf(Exception.class);
        }
    }
}
