package io.longhaul.gridftp.security;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.List;
import java.util.Optional;

/** No protection at all. */
public final class ClearText implements SecurityContext {
    @Override
    public boolean isPrivate() {
        return false;
    }

    @Override
    public List<String> wrap(List<String> replyLines) {
        return replyLines;
    }

    @Override
    public boolean offers(Protection level) {
        return level == Protection.CLEAR;
    }

    @Override
    public Optional<ChannelHandler> protect(Protection level, Channel connection) {
        return Optional.empty();
    }
}
