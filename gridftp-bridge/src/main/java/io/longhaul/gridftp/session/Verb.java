package io.longhaul.gridftp.session;

import io.longhaul.gridftp.protocol.Reply;
import java.util.concurrent.CompletableFuture;

/** What a command does. Called on the session's event loop, one at a time; must not block. */
public interface Verb {
    /** Does it; told the last reply, on any thread. */
    CompletableFuture<Reply> run(Session session, String argument);

    /** Returns whether it may be used by somebody who has not logged in. */
    default boolean isForStrangers() {
        return false;
    }
}
