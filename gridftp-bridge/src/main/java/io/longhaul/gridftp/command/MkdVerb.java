package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.PathText;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.FilePath;
import java.util.concurrent.CompletableFuture;

/** {@code MKD path} (RFC 959 section 4.1.3). */
final class MkdVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        FilePath path = session.path(argument);
        return session.files()
                .makeDirectory(path)
                .thenApply(done ->
                        Reply.of(257, "Directory " + PathText.quoted(path.toString()) + " created successfully."));
    }
}
