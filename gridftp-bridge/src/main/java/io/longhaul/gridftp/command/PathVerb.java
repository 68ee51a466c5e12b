package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code VERB path}: one that must be told its path. Without one it would mean the current directory. */
final class PathVerb implements Verb {
    private final String name;
    private final Verb verb;
    private final boolean isTransfer;

    /**
     * Takes what is done with the path.
     *
     * @param isTransfer whether it uses up what was said of the next transfer
     */
    PathVerb(String name, Verb verb, boolean isTransfer) {
        this.name = name;
        this.verb = verb;
        this.isTransfer = isTransfer;
    }

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        if (!argument.isEmpty()) {
            return verb.run(session, argument);
        }
        if (isTransfer) {
            session.settings().forgetNext();
        }
        return Replies.now(501, name + ": expected a path.");
    }
}
