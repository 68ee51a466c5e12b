package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.PathText;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code PWD} (RFC 959 appendix II). */
final class PwdVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Replies.now(257, PathText.quoted(session.directory().toString()) + " is current directory.");
    }
}
