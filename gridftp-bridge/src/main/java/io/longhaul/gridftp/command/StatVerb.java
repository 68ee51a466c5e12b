package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code STAT [path]} (RFC 959 section 4.1.3): LIST over the control channel. */
final class StatVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        if (argument.isBlank()) {
            // as every command it waits for the transfer that runs
            return Replies.now(211, "GridFTP server status: idle.");
        }
        String path = NameOptions.path(argument);
        return ListVerb.lines(session, path).thenApply(lines -> Replies.listing(213, "status of " + path, lines, 0));
    }
}
