package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code LIST [path]} (RFC 959 section 4.1.3). */
final class ListVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Sending.lines(session, lines(session, NameOptions.path(argument)));
    }

    /** Returns a directory's lines, or a file's one. */
    static CompletableFuture<List<String>> lines(Session session, String argument) {
        FilePath path = session.directory().resolve(argument);
        Instant now = session.context().world().clock().instant();
        return session.files().stat(path).thenCompose(self -> {
            if (!self.isDirectory()) {
                return CompletableFuture.completedFuture(List.of(LongLine.of(self, argument, now)));
            }
            return session.files()
                    .list(path)
                    .thenApply(entries -> entries.stream()
                            .sorted(Comparator.comparing(Entry::name))
                            .map(entry -> LongLine.of(entry, entry.name(), now))
                            .toList());
        });
    }
}
