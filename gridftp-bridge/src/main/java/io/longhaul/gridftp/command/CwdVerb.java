package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.util.concurrent.CompletableFuture;

/** {@code CWD path} (RFC 959 section 4.1.1). */
final class CwdVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return enter(session, session.path(argument));
    }

    static CompletableFuture<Reply> enter(Session session, FilePath path) {
        return session.files()
                .stat(path)
                .thenApplyAsync(
                        entry -> {
                            if (!entry.isDirectory()) {
                                throw new BackendException(
                                        BackendException.Code.NOT_A_DIRECTORY, path + ": Not a directory");
                            }
                            session.directory(path);
                            return Reply.of(250, "CWD command successful.");
                        },
                        session.loop());
    }
}
