package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code USER name} (RFC 959 section 4.1.1). */
final class UserVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return CompletableFuture.completedFuture(session.login().name(argument.strip()));
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
