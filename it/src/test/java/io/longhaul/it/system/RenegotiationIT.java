package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Pem;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real client that wants to negotiate TLS 1.2 anew, at each kind of place where Longhaul listens with TLS. */
@ExtendWith(TestbedExtension.class)
final class RenegotiationIT {
    /** What openssl prints when it begins, and for each certificate that it is shown. */
    private static final String ASKS = "RENEGOTIATING";

    private static final String SHOWN = "verify return:";

    /**
     * Connects and asks for another handshake.
     *
     * @return what openssl printed until it ended, or had been shown the certificate again
     */
    private static List<String> renegotiate(int port, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-tls1_2", "-connect"));
        command.add("127.0.0.1:" + port);
        command.addAll(List.of(more));
        Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader out = openssl.inputReader(StandardCharsets.UTF_8);
                OutputStream in = openssl.getOutputStream()) {
            in.write("R\n".getBytes(StandardCharsets.US_ASCII));
            in.flush();
            return untilTheEnd(out);
        } finally {
            openssl.destroyForcibly();
            assertThat(openssl.waitFor(Child.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private static List<String> untilTheEnd(BufferedReader out) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean asked = false;
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            asked |= line.equals(ASKS);
            if (asked && line.startsWith(SHOWN)) {
                break;
            }
        }
        return lines;
    }

    private static void assertRefused(List<String> lines) {
        assertThat(lines).as("a handshake of TLS 1.2").anyMatch(line -> line.contains("TLSv1.2"));
        List<String> afterwards = lines.subList(lines.indexOf(ASKS) + 1, lines.size());
        assertThat(lines).contains(ASKS);
        assertThat(afterwards).noneMatch(line -> line.startsWith(SHOWN));
        assertThat(afterwards).anyMatch(line -> line.contains("alert"));
    }

    @Test
    void shouldRefuseAnotherHandshakeWhenAClientOfABrokerAsksForIt(Testbed testbed) throws Exception {
        // given
        Network network = Network.of(testbed, Pem.in(testbed).options());
        int port =
                Integer.parseInt(network.address().substring(network.address().indexOf(':') + 1));
        Child broker = network.broker().startReady();

        // when
        List<String> lines = renegotiate(port);

        // then
        assertRefused(lines);
        broker.awaitError(line -> line.contains("dropped") || line.contains("enegotiation"), "a line about it");
        assertThat(broker.errors()).noneMatch(line -> line.text().contains("Exception"));
    }

    @Test
    void shouldRefuseAnotherHandshakeWhenAClientOfAFrontAsksForIt(Testbed testbed) throws Exception {
        // given
        Child front = Network.of(testbed)
                .node("front", "bridge", "front", "--listen", "127.0.0.1:0")
                .with("--mount", "/=file://" + testbed.directory("root"))
                .with(Pem.in(testbed).options())
                .withMachine("-Xmx256m")
                .startReady();
        int port = (int) front.awaitEvent("ready").number("port");

        // when
        List<String> lines = renegotiate(port, "-starttls", "ftp");

        // then
        assertRefused(lines);
        assertThat(front.errors()).noneMatch(line -> line.text().contains("Exception"));
    }
}
