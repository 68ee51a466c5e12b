package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code SITE VERSION}. */
final class VersionVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String version = getClass().getPackage().getImplementationVersion();
        return Replies.now(200, "Longhaul " + (version == null ? "unpackaged" : version));
    }
}
