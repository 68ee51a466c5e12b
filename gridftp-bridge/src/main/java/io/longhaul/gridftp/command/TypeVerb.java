package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** {@code TYPE A|I} (RFC 959 section 3.1.1); holds for the next transfer, whenever its address was set. */
final class TypeVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "I", "L 8", "L8" -> session.settings().text(false);
            case "A", "A N" -> session.settings().text(true);
            default -> {
                return Replies.now(501, "'TYPE " + argument.strip() + "' unrecognized type.");
            }
        }
        String type = argument.strip().substring(0, 1).toUpperCase(Locale.ROOT);
        return Replies.now(200, "Type set to " + type + ".");
    }
}
