package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.RestartMarker;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.concurrent.CompletableFuture;

/** {@code STOR path} (RFC 959 section 4.1.3); after REST with what is there already. */
final class StorVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        TransferSettings settings = session.settings();
        RestartMarker restart = settings.takeRestart();
        if (!restart.isNone() && settings.isText()) {
            return Replies.now(504, "A transfer of TYPE A cannot be restarted.");
        }
        // ranges are told of bytes that have come, and the file that is there may be another
        Kind restarted = restart.isPosition() ? Kind.RESTART : Kind.RESUME;
        WriteRequest request = new WriteRequest(
                session.path(argument),
                restart.isNone() ? Kind.REPLACE : restarted,
                settings.takeAllocation(),
                restart.present(),
                settings.takeChecksum());
        return Storing.file(session, request, 0);
    }
}
