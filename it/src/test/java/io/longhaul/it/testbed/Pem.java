package io.longhaul.it.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate for this machine that openssl signs with its own key: two PEM files. */
public record Pem(Path certificate, Path key) {
    /** Makes them in the testbed. */
    public static Pem in(Testbed testbed) {
        Pem made = new Pem(testbed.file("cert.pem"), testbed.file("key.pem"));
        List<String> command = List.of(
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
                made.key.toString(),
                "-out",
                made.certificate.toString());
        try {
            Process openssl =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(openssl.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(openssl.exitValue()).as(said).isZero();
        } catch (IOException e) {
            throw new AssertionError("openssl cannot be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        return made;
    }

    /** Returns the options by which a command serves with it. */
    public String[] options() {
        return new String[] {"--tls-cert", certificate.toString(), "--tls-key", key.toString()};
    }
}
