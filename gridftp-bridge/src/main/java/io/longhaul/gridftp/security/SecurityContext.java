package io.longhaul.gridftp.security;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.List;
import java.util.Optional;

/**
 * What a session and its client have agreed on to protect their channels.
 *
 * <p>A mechanism whose tokens travel in commands and replies (RFC 2228) wraps replies here, line by line, and unwraps
 * commands before they reach their verbs.
 */
public interface SecurityContext {
    /** Returns whether nobody can read along on the control channel. */
    boolean isPrivate();

    /** Returns the lines of a reply as they are sent. */
    List<String> wrap(List<String> replyLines);

    /** Returns whether data connections can have a level. */
    boolean offers(Protection level);

    /**
     * Returns what protects a new data connection, whichever end opened it; it fires Netty's
     * {@code SslHandshakeCompletionEvent} when the other end is known. Empty for a connection in clear text.
     */
    Optional<ChannelHandler> protect(Protection level, Channel connection);
}
