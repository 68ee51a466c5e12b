package io.longhaul.ptcp.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLParameters;

/**
 * How an opener encrypts each of its channels.
 *
 * @param context trust and the own certificate
 * @param verifyHost whether the certificate must name the host (RFC 2818)
 */
public record ClientTls(SslContext context, boolean verifyHost) {
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
