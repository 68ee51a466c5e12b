package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code NOOP} (RFC 959 section 4.1.3). */
final class NoopVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Replies.now(200, "NOOP command successful.");
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
