package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificateKeyIT {
    private static final List<String> RSA = List.of("-newkey", "rsa:2048");
    private static final List<String> EC = List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");

    @TempDir
    private Path directory;

    private Path certificate(String name) {
        return directory.resolve(name + ".crt");
    }

    private Path key(String name) {
        return directory.resolve(name + ".key");
    }

    private void make(String name, List<String> kind) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-subj", "/CN=x"));
        command.addAll(kind);
        command.addAll(List.of(
                "-keyout", key(name).toString(), "-out", certificate(name).toString()));
        Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
        openssl.getInputStream().readAllBytes();
        assertThat(openssl.waitFor(30, TimeUnit.SECONDS) && openssl.exitValue() == 0)
                .isTrue();
    }

    private boolean mayFit(String certificate, String key) throws IOException {
        return CertificateKey.mayFit(certificate(certificate), key(key));
    }

    @Test
    void shouldTellTheKeyOfACertificateFromAnother() throws Exception {
        // given
        make("a", RSA);
        make("b", RSA);
        make("c", EC);
        make("d", EC);
        Path together = Files.writeString(
                directory.resolve("a.pem"), Files.readString(key("a")) + Files.readString(certificate("a")));

        // when then
        assertThat(mayFit("a", "a")).isTrue();
        assertThat(mayFit("a", "b")).isFalse();
        assertThat(mayFit("a", "c")).isFalse();
        assertThat(mayFit("c", "c")).isTrue();
        assertThat(mayFit("c", "d")).isFalse();
        assertThat(CertificateKey.mayFit(together, together)).isTrue();
    }

    @Test
    void shouldRefuseTheKeyOfAnotherCertificateAtBothEnds() throws Exception {
        // given
        make("a", EC);
        make("b", EC);
        Path mixed = Files.writeString(
                directory.resolve("mixed.pem"), Files.readString(key("b")) + Files.readString(certificate("a")));
        Path ca = certificate("a");

        // when then
        assertThat(ServerTls.ofFiles(ca, key("a"), Optional.empty())).isNotNull();
        assertThatThrownBy(() -> ServerTls.ofFiles(ca, key("b"), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tls: expected the key of the first certificate in " + ca + ", found another one in "
                        + key("b"));
        assertThatThrownBy(() -> ClientTls.ofFiles(ca.toString(), mixed.toString(), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tls: expected the key of the first certificate in " + mixed + ", found another one in "
                        + mixed);
    }
}
