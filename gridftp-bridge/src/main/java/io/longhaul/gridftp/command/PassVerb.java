package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code PASS [password]} (RFC 959 section 4.1.1); clients that have none to say leave it out. */
final class PassVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return session.login().password(argument);
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
