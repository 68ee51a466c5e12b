package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code SBUF bytes} and its relatives below SITE: the system finds a better size than a client can. */
final class BufferVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return argument.strip().matches("[0-9]{1,12}")
                ? Replies.now(200, "Site Command Successful.")
                : Replies.now(501, "Expected a number of bytes.");
    }
}
