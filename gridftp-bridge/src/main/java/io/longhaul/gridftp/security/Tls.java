package io.longhaul.gridftp.security;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

/** TLS under the whole control channel (RFC 4217); of a data connection the client is always TLS's client, too. */
public final class Tls implements SecurityContext {
    private final SslContext context;

    public Tls(SslContext context) {
        this.context = context;
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public List<String> wrap(List<String> replyLines) {
        return replyLines;
    }

    @Override
    public boolean offers(Protection level) {
        return level != Protection.SAFE;
    }

    @Override
    public Optional<ChannelHandler> protect(Protection level, Channel connection) {
        if (level == Protection.CLEAR) {
            return Optional.empty();
        }
        SSLEngine engine = context.newEngine(connection.alloc());
        return Optional.of(new SslHandler(engine, task -> {
            task.run();
            sendNoTicket(engine);
        }));
    }

    /**
     * A session that cannot be taken up again gets no ticket. Under TLS 1.3 tickets come behind the handshake, and a client that
     * only sends need not read them: the system answers what comes to a socket that was closed with a reset, and what it had
     * still to send of the file is lost. In older versions they are part of the handshake, and the session may be that of the
     * control channel, which is to be taken up again.
     */
    private static void sendNoTicket(SSLEngine engine) {
        SSLSession session = engine.getHandshakeSession();
        if (session != null && session.getProtocol().equals("TLSv1.3")) {
            session.invalidate();
        }
    }
}
