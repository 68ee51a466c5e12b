package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code SITE UTIME time path} as Globus clients send it, and {@code SITE UTIME path access change creation UTC} as others
 * do: sets the time of the last change.
 */
final class UtimeVerb implements Verb {
    private static final Pattern THREE_TIMES = Pattern.compile("(?s)(.+) [0-9]{14} ([0-9]{14}) [0-9]{14} UTC");

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        Matcher times = THREE_TIMES.matcher(argument);
        if (!times.matches()) {
            return MfmtVerb.set(session, argument, (time, path) -> Replies.ok());
        }
        return session.files()
                .setModified(session.path(times.group(1)), MfmtVerb.time(times.group(2)))
                .thenApply(done -> Replies.ok());
    }
}
