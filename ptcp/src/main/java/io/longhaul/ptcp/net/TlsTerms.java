package io.longhaul.ptcp.net;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;

/** What holds for TLS at both ends: its versions, and whose implementation it is. */
final class TlsTerms {
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** OpenSSL where netty-tcnative is on the class path and can be loaded, else Java's. */
    private static final SslProvider PROVIDER = OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

    private TlsTerms() {}

    static SslContextBuilder set(SslContextBuilder builder) {
        return builder.sslProvider(PROVIDER).protocols(VERSIONS);
    }
}
