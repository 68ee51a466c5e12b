package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.util.concurrent.CompletableFuture;

/** {@code SIZE path} (RFC 3659 section 4): bytes as TYPE I sends them, whatever TYPE is. */
final class SizeVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        FilePath path = session.path(argument);
        return session.files().stat(path).thenApply(entry -> {
            if (entry.isDirectory()) {
                throw new BackendException(BackendException.Code.IS_A_DIRECTORY, path + ": Is a directory");
            }
            return Reply.of(213, Long.toString(entry.length()));
        });
    }
}
