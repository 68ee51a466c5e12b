package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code APPE path} (RFC 959 section 4.1.3). */
final class AppeVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        TransferSettings settings = session.settings();
        settings.takeRestart();
        WriteRequest request = new WriteRequest(
                session.path(argument), Kind.APPEND, settings.takeAllocation(), List.of(), settings.takeChecksum());
        return Storing.file(session, request, 0);
    }
}
