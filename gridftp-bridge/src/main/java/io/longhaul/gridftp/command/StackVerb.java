package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * {@code SITE SETNETSTACK stack} of Globus servers: what lies below data connections. Here that is always the same.
 */
final class StackVerb implements Verb {
    private final Set<String> known;

    StackVerb(String only) {
        this.known = Set.of("default", only);
    }

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        if (!known.contains(argument.strip())) {
            return Replies.now(500, "Setting driver stack failed: expected one of " + known + ".");
        }
        return CompletableFuture.completedFuture(Replies.ok());
    }
}
