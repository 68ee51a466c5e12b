package io.longhaul.ptcp.net;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** How an acceptor encrypts each of its channels. */
public final class ServerTls {
    private ServerTls() {}

    /**
     * Reads PEM files; throws {@link IllegalArgumentException} for bad ones, and for a key of another certificate.
     *
     * @param certificate certificate chain of this end
     * @param key its private key, unencrypted PKCS#8
     * @param clientCa when given, openers must show a certificate that one of these signed
     */
    public static SslContext ofFiles(Path certificate, Path key, Optional<Path> clientCa) {
        SslContext context;
        try {
            SslContextBuilder builder = TlsTerms.set(SslContextBuilder.forServer(
                    PemFile.require(certificate).toFile(), PemFile.require(key).toFile()));
            clientCa.map(PemFile::require)
                    .ifPresent(ca -> builder.trustManager(ca.toFile()).clientAuth(ClientAuth.REQUIRE));
            context = builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls: expected a PEM certificate in " + certificate + " and its unencrypted PKCS#8 key in " + key
                            + clientCa.map(ca -> ", PEM certificates in " + ca).orElse("") + ", found: "
                            + e.getMessage(),
                    e);
        }
        CertificateKey.check(certificate, key);
        return context;
    }
}
