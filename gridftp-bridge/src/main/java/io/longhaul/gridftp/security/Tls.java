package io.longhaul.gridftp.security;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.Optional;

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
        return level == Protection.CLEAR ? Optional.empty() : Optional.of(context.newHandler(connection.alloc()));
    }
}
