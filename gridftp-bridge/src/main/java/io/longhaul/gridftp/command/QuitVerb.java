package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code QUIT} (RFC 959 section 4.1.1): waits its turn, so for the transfer that runs. */
final class QuitVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        session.closeAfterReply();
        return Replies.now(221, "Goodbye.");
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
