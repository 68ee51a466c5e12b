package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code STRU F} (RFC 959 section 3.1.2). */
final class StruVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        if (argument.isBlank()) {
            return Replies.now(501, "STRU: expected F.");
        }
        return argument.strip().equalsIgnoreCase("F")
                ? Replies.now(200, "STRU F ok.")
                : Replies.now(504, "Structure not supported: expected F.");
    }
}
