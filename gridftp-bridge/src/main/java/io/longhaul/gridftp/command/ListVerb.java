package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code LIST [path]} (RFC 959 section 4.1.3). */
final class ListVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Sending.lines(session, lines(session, NameOptions.path(argument)));
    }

    /** Returns a directory's lines, or those of what a path or pattern names. */
    static CompletableFuture<List<String>> lines(Session session, String argument) {
        Instant now = session.context().world().clock().instant();
        return Named.entries(session, argument)
                .thenApply(entries -> entries.stream()
                        .map(entry -> LongLine.of(entry, entry.name(), now))
                        .toList());
    }
}
