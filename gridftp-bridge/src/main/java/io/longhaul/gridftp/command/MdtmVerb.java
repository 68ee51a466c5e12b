package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code MDTM path} (RFC 3659 section 3). */
final class MdtmVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return session.files()
                .stat(session.path(argument))
                .thenApply(entry -> Reply.of(213, Timestamps.format(entry.modified())));
    }
}
