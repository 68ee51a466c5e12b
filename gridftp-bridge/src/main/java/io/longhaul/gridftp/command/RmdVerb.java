package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code RMD path} (RFC 959 section 4.1.3). */
final class RmdVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return session.files().removeDirectory(session.path(argument)).thenApply(done -> Replies.ok());
    }
}
