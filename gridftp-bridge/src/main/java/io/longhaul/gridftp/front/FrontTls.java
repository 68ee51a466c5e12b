package io.longhaul.gridftp.front;

import io.longhaul.gridftp.FrontConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** How a front encrypts: Java's TLS, versions 1.2 and 1.3. */
public final class FrontTls {
    private FrontTls() {}

    /**
     * Returns a configuration with the TLS of PEM files; throws {@link IllegalArgumentException} for bad ones.
     *
     * @param certificate certificate chain
     * @param key its private key, unencrypted PKCS#8
     * @param required whether passwords are taken under TLS only
     */
    public static FrontConfig with(FrontConfig config, Path certificate, Path key, boolean required) {
        try {
            SslContext context = SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
            return config.withTls(context, required);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls: expected a PEM certificate in " + certificate + " and its unencrypted PKCS#8 key in " + key
                            + ", found: " + e.getMessage(),
                    e);
        }
    }
}
