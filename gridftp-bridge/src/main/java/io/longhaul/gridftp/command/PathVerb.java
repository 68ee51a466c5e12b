package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code VERB path}: one that must be told its path. Without one it would mean the current directory. */
final class PathVerb implements Verb {
    private final String name;
    private final Verb verb;

    /** Takes what is done with the path. */
    PathVerb(String name, Verb verb) {
        this.name = name;
        this.verb = verb;
    }

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return argument.isEmpty() ? Replies.now(501, name + ": expected a path.") : verb.run(session, argument);
    }
}
