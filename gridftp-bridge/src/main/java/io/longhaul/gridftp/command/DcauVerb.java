package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code DCAU N|A|S} (GFD.20 section 2.2): without GSI there is nobody to authenticate. */
final class DcauVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return argument.strip().equalsIgnoreCase("N")
                ? Replies.now(200, "DCAU N.")
                : Replies.now(501, "Bad DCAU mode: expected N.");
    }
}
