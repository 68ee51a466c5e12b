package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code PBSZ size} (RFC 2228 section 3): TLS has records of its own, so any size will do. */
final class PbszVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        if (!argument.strip().matches("[0-9]{1,10}")) {
            return Replies.now(501, "PBSZ: expected a number.");
        }
        return Replies.now(200, "PBSZ=" + (session.security().isPrivate() ? "0" : argument.strip()));
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
