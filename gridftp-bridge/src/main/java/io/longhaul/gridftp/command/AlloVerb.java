package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code ALLO bytes [R size]} (RFC 959 section 4.1.3): how much the next file will have at least. */
final class AlloVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String bytes = argument.strip().split(" ", 2)[0];
        if (!bytes.matches("[0-9]{1,18}")) {
            return Replies.now(501, "ALLO: expected a number of bytes.");
        }
        session.settings().allocation(Long.parseLong(bytes));
        return Replies.now(200, "ALLO command successful.");
    }
}
