package io.longhaul.ptcp.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.File;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * How an opener encrypts each of its channels.
 *
 * @param context trust and the own certificate
 * @param verifyHost whether the certificate must name the host (RFC 2818)
 */
public record ClientTls(SslContext context, boolean verifyHost) {
    /**
     * Reads PEM files; throws {@link IllegalArgumentException} for bad ones, and for a key of another certificate.
     *
     * @param ca trusted authorities; empty for the system's
     * @param certificate key and certificate chain of this end; empty for none
     */
    public static ClientTls ofFiles(String ca, String certificate, boolean verifyHost) {
        SslContext context;
        SslContextBuilder builder = TlsTerms.set(SslContextBuilder.forClient());
        try {
            if (!ca.isEmpty()) {
                builder.trustManager(PemFile.require(Path.of(ca)).toFile());
            }
            if (!certificate.isEmpty()) {
                File own = PemFile.require(Path.of(certificate)).toFile();
                builder.keyManager(own, own);
            }
            context = builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "TLS files ca=" + ca + " cert=" + certificate + ": " + e.getMessage(), e);
        }
        if (!certificate.isEmpty()) {
            CertificateKey.check(Path.of(certificate), Path.of(certificate));
        }
        return new ClientTls(context, verifyHost);
    }

    SslHandler newHandler(ByteBufAllocator allocator, String host, int port) {
        SslHandler handler = context.newHandler(allocator, host, port);
        if (verifyHost) {
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            handler.engine().setSSLParameters(parameters);
        }
        return handler;
    }
}
