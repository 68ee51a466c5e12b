package io.longhaul.ptcp.session;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;

/**
 * How a channel goes from the greeting to the session: the greeting's handler has stopped reading and keeps what came
 * right after its own bytes; when it leaves, the session's handler gets that first.
 */
public final class Takeover {
    /** Name of the greeting's handler in the pipeline. */
    public static final String GREETING = "greeting";

    private Takeover() {}

    /** Puts the handler in the place of the greeting's and reads on; any thread; nothing when the channel is closed. */
    static void of(Channel channel, ChannelHandler handler) {
        channel.eventLoop().execute(() -> {
            if (channel.pipeline().get(GREETING) != null) {
                channel.pipeline().addLast("session", handler).remove(GREETING);
                channel.config().setAutoRead(true);
            }
        });
    }
}
