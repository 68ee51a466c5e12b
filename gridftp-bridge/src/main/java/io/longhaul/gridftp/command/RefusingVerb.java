package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** A command that clients know and that is never done here, for a reason they should hear. */
final class RefusingVerb implements Verb {
    private final String reason;

    RefusingVerb(String reason) {
        this.reason = reason;
    }

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Replies.now(504, reason);
    }
}
