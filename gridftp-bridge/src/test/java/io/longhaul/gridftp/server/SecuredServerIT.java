package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.front.FrontTls;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins and files under TLS. */
final class SecuredServerIT {
    private static final FilePath FILE = FilePath.of("/f");
    private static final int LENGTH = 3_000_000;

    @TempDir
    private Path place;

    private Served served;

    /** Who may log in: bob. */
    private record Bob() implements Accounts {
        @Override
        public boolean allowsAnonymous() {
            return false;
        }

        @Override
        public boolean matches(String user, char[] password) {
            return user.equals("bob") && Arrays.equals(password, "secret".toCharArray());
        }
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        Path key = place.resolve("key");
        Path certificate = place.resolve("certificate");
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:prime256v1",
                        "-nodes",
                        "-subj",
                        "/CN=server",
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString())
                .redirectErrorStream(true)
                .redirectOutput(place.resolve("log").toFile())
                .start();
        assertThat(openssl.waitFor(60, TimeUnit.SECONDS) && openssl.exitValue() == 0)
                .isTrue();
        served = Served.directory(
                place.resolve("root"), config -> FrontTls.with(config, certificate, key, true), new Bob());
    }

    @AfterEach
    void close() {
        served.close();
    }

    private GridFtpBackend backend(String password, boolean extended, Optional<Path> authorities) {
        ClientConfig config = served.config(new Credentials("bob", password)).withExtended(extended);
        return GridFtpBackend.open(config.withTls(authorities), "test", System::nanoTime, new Random());
    }

    @Test
    void shouldCarryTheBytesUnderTlsWhenTheCertificateIsKnown() {
        for (boolean extended : new boolean[] {false, true}) {
            try (GridFtpBackend backend = backend("secret", extended, Optional.of(place.resolve("certificate")))) {
                // when
                Sink sink = backend.write(WriteRequest.replace(FILE)).join();
                sink.write(0, Unpooled.buffer(LENGTH).writeZero(LENGTH)).join();
                sink.commit(bytes -> {}).join();

                // then
                long length = 0;
                try (Source source =
                        backend.read(FILE, List.of(new ByteRange(0, LENGTH))).join()) {
                    Optional<Block> next = source.next().join();
                    while (next.isPresent()) {
                        length += next.get().bytes().readableBytes();
                        next.get().bytes().release();
                        next = source.next().join();
                    }
                }
                assertThat(length).isEqualTo(LENGTH);
            }
        }
    }

    @Test
    void shouldSayNoPasswordWhenTheCertificateIsUnknown() {
        try (GridFtpBackend backend = backend("secret", true, Optional.empty())) {
            assertThatThrownBy(() -> backend.stat(FILE).join())
                    .cause()
                    .isInstanceOfSatisfying(BackendException.class, e -> {
                        assertThat(e.code()).isEqualTo(Code.NOT_LOGGED_IN);
                        assertThat(e).hasMessageContaining("TLS handshake").hasMessageContaining("certif");
                    });
        }
    }

    @Test
    void shouldRefuseAListingWhenItsConnectionEndsWithoutTheEndOfTls() throws IOException {
        // given
        SslContext tls = SslContextBuilder.forServer(
                        place.resolve("certificate").toFile(),
                        place.resolve("key").toFile())
                .sslProvider(SslProvider.JDK)
                .build();
        byte[] line = "Type=file;Size=1; f\r\n".getBytes(StandardCharsets.UTF_8);
        try (ScriptedServer server = new ScriptedServer()) {
            server.on("AUTH", (client, argument) -> client.secure(((JdkSslContext) tls).context()));
            server.say("PBSZ", "200 ok");
            server.say("PROT", "200 ok");
            server.files.put("/f", new byte[1]);
            ClientConfig config = server.config().withTls(Optional.of(place.resolve("certificate")));
            try (GridFtpBackend backend = GridFtpBackend.open(config, "test", System::nanoTime, new Random())) {
                assertThat(backend.list(FilePath.ROOT).join()).hasSize(1);

                // when
                server.on("MLSD", (client, path) -> {
                    client.say("150 ok");
                    client.sendWithoutEnd(line);
                    client.say("226 ok");
                });

                // then
                assertThatThrownBy(() -> backend.list(FilePath.ROOT).join())
                        .cause()
                        .isInstanceOfSatisfying(BackendException.class, e -> {
                            assertThat(e.code()).isEqualTo(Code.FAILED);
                            assertThat(e).hasMessageContaining("close_notify");
                        });
            }
        }
    }
}
