package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code RNFR path} (RFC 959 section 4.1.3); some clients use it to see whether something is there. */
final class RnfrVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        // what an RNFR before this one named must not be renamed when this one fails
        session.settings().renameFrom(Optional.empty());
        if (argument.isEmpty()) {
            return Replies.now(501, "RNFR: expected a path.");
        }
        FilePath path = session.path(argument);
        return session.files()
                .stat(path)
                .thenApplyAsync(
                        entry -> {
                            session.settings().renameFrom(Optional.of(path));
                            return Reply.of(350, "OK. Send RNTO with destination name.");
                        },
                        session.loop());
    }
}
