package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.security.Protection;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * {@code PROT level} (RFC 2228 section 3): of data connections from now on. A level that is known and not offered is another
 * failure than one that nobody knows.
 */
final class ProtVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        Protection level;
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "C" -> level = Protection.CLEAR;
            case "S" -> level = Protection.SAFE;
            case "P" -> level = Protection.PRIVATE;
            case "E" -> {
                return Replies.now(536, "E protection level not supported.");
            }
            case "" -> {
                return Replies.now(501, "PROT: expected C or P.");
            }
            default -> {
                return Replies.now(504, "PROT: expected C or P.");
            }
        }
        if (!session.security().offers(level)) {
            return Replies.now(536, argument.strip() + " protection level not supported.");
        }
        session.data().secure(session.security(), level);
        return Replies.now(200, "Protection level set to " + argument.strip().toUpperCase(Locale.ROOT) + ".");
    }

    /** As RFC 4217 section 12.1 has it: directly behind the handshake. */
    @Override
    public boolean isForStrangers() {
        return true;
    }
}
