package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsServerIT {
    @TempDir
    private Path directory;

    private Path certificate(String name) {
        return directory.resolve(name + ".crt");
    }

    private Path key(String name) {
        return directory.resolve(name + ".key");
    }

    private void make(String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-subj", "/CN=x"));
        command.addAll(List.of("-newkey", "rsa:2048"));
        command.addAll(List.of(
                "-keyout", key(name).toString(), "-out", certificate(name).toString()));
        Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
        openssl.getInputStream().readAllBytes();
        assertThat(openssl.waitFor(30, TimeUnit.SECONDS) && openssl.exitValue() == 0)
                .isTrue();
    }

    @Test
    void shouldRefuseToServeWithTheKeyOfAnotherCertificate() throws Exception {
        // given
        make("a");
        make("b");

        // when then
        assertThat(new TlsServer(certificate("a"), key("a"), Optional.empty()).context())
                .isNotNull();
        assertThatThrownBy(() -> new TlsServer(certificate("a"), key("b"), Optional.empty()).context())
                .isInstanceOf(ServerException.class)
                .hasMessage("tls: expected the key of the first certificate in " + certificate("a")
                        + ", found another one in " + key("b"));
    }
}
