package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code MLST [path]} (RFC 3659 section 7). */
final class MlstVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return session.files().stat(session.path(argument)).thenApply(entry -> {
            String name = argument.isEmpty() ? session.directory().toString() : argument;
            String line = FactLines.of(entry, FactLines.type(entry), name)
                    .text(session.settings().facts());
            return Reply.of(250, "status of " + name, List.of(" " + line), "End.");
        });
    }
}
