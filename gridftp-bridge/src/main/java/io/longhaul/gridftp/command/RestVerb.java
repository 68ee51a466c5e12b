package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.RestartMarker;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code REST position|ranges} (RFC 3659 section 5, GFD.20 section 3.3). */
final class RestVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        session.settings().restart(RestartMarker.parse(argument));
        return Replies.now(350, "Restart Marker OK. Send STORE or RETR to initiate transfer.");
    }
}
