package io.longhaul.ptcp.session;

import io.longhaul.ptcp.frame.Greeting;
import io.netty.channel.Channel;
import java.util.concurrent.CompletableFuture;

/** Opens further channels of a session; only the end that opened the session has one. Does not block. */
@FunctionalInterface
public interface Dialer {
    /** Returns a channel that the other end has accepted, or fails. */
    CompletableFuture<Channel> dial(Greeting.Kind kind, int number);
}
