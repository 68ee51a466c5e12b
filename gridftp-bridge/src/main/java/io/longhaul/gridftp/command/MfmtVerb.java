package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** {@code MFMT time path} (draft-somers-ftp-mfxx): sets the time of the last change. */
final class MfmtVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return set(session, argument, (time, path) -> Reply.of(213, "Modify=" + time + "; " + path));
    }

    /**
     * Does what {@code time path} says.
     *
     * @param done what is said of the time and the path when it is done
     */
    static CompletableFuture<Reply> set(Session session, String given, BiFunction<String, String, Reply> done) {
        String argument = given.stripLeading();
        int space = argument.indexOf(' ');
        if (space < 0 || space == argument.length() - 1) {
            return Replies.now(501, "Expected YYYYMMDDHHMMSS and a path.");
        }
        String time = argument.substring(0, space);
        String path = argument.substring(space + 1);
        return session.files().setModified(session.path(path), time(time)).thenApply(set -> done.apply(time, path));
    }

    /** Reads a time that a file can be given: none before 1970, as at Globus servers. */
    static Instant time(String text) {
        Instant time = Timestamps.parse(text);
        if (time.isBefore(Instant.EPOCH)) {
            throw new ProtocolException("time: expected one of 1970 or later");
        }
        return time;
    }
}
