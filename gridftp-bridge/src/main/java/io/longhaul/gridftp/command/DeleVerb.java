package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code DELE path} (RFC 959 section 4.1.3). */
final class DeleVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return session.files().deleteFile(session.path(argument)).thenApply(done -> Replies.ok());
    }
}
