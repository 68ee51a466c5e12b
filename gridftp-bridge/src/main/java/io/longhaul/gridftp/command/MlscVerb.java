package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code MLSC [path]}: MLSD over the control channel, as Globus servers have it. */
final class MlscVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return MlsdVerb.lines(session, argument)
                .thenApply(lines ->
                        Replies.listing(250, "Contents of " + session.path(argument), lines, MlsdVerb.BESIDES));
    }
}
