package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Quorum;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code SITE LONGHAUL QUORUM=all|one|K|default}: what only this server has, until the end of the session. */
final class LonghaulVerb implements Verb {
    private static final String QUORUM = "QUORUM=";

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String word = argument.strip();
        if (!word.toUpperCase(Locale.ROOT).startsWith(QUORUM)) {
            return Replies.now(501, "SITE LONGHAUL: expected QUORUM=all, one, default or a number.");
        }
        String value = word.substring(QUORUM.length());
        try {
            session.settings()
                    .quorum(value.equalsIgnoreCase("default") ? Optional.empty() : Optional.of(Quorum.parse(value)));
        } catch (IllegalArgumentException e) {
            return Replies.now(501, "SITE LONGHAUL: " + e.getMessage() + ".");
        }
        return Replies.now(200, QUORUM + value.toLowerCase(Locale.ROOT) + " until the session ends.");
    }
}
