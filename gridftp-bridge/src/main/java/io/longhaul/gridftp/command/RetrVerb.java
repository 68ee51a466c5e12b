package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.RestartMarker;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code RETR path} (RFC 959 section 4.1.3), from where REST said. */
final class RetrVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        RestartMarker restart = session.settings().takeRestart();
        List<ByteRange> ranges = session.settings().isExtended()
                ? ByteRanges.of(restart.present()).missing(Long.MAX_VALUE)
                : List.of(new ByteRange(restart.position(), Long.MAX_VALUE));
        if (!restart.isNone() && session.settings().isText()) {
            return Replies.now(504, "A transfer of TYPE A cannot be restarted.");
        }
        return Sending.file(session, session.path(argument), ranges, 0);
    }
}
