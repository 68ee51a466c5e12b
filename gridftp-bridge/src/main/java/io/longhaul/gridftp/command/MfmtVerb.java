package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code MFMT time path} and {@code SITE UTIME time path}: sets the time of the last change. */
final class MfmtVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String given) {
        String argument = given.stripLeading();
        int space = argument.indexOf(' ');
        if (space < 0) {
            return Replies.now(501, "Expected YYYYMMDDHHMMSS and a path.");
        }
        String time = argument.substring(0, space);
        String path = argument.substring(space + 1);
        return session.files()
                .setModified(session.path(path), Timestamps.parse(time))
                .thenApply(done -> Reply.of(213, "Modify=" + time + "; " + path));
    }
}
