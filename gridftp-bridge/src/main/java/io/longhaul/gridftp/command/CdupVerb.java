package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code CDUP} (RFC 959 section 4.1.1). */
final class CdupVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return CwdVerb.enter(session, session.directory().parent());
    }
}
