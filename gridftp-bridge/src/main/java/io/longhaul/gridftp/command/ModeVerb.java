package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** {@code MODE S|E} (RFC 959 section 3.4, GFD.20 section 3.4). */
final class ModeVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String mode = argument.strip().toUpperCase(Locale.ROOT);
        if (mode.isEmpty()) {
            return Replies.now(501, "MODE: expected S or E.");
        }
        if (!mode.equals("S") && !mode.equals("E")) {
            return Replies.now(504, "'MODE " + argument.strip() + "' unrecognized transfer mode.");
        }
        boolean extended = mode.equals("E");
        if (extended != session.settings().isExtended()) {
            session.data().dropCached();
        }
        session.settings().extended(extended);
        return Replies.now(200, "Mode set to " + mode + ".");
    }
}
