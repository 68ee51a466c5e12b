package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code RNTO path} (RFC 959 section 4.1.3). */
final class RntoVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        Optional<FilePath> from = session.settings().takeRenameFrom();
        if (from.isEmpty()) {
            return Replies.now(503, "RNFR first.");
        }
        return session.files().rename(from.get(), session.path(argument)).thenApply(done -> Replies.ok());
    }
}
