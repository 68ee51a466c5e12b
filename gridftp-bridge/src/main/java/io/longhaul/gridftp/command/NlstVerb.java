package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code NLST [path]} (RFC 959 section 4.1.3): names, to which a client can append the directory. */
final class NlstVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String name = NameOptions.path(argument);
        FilePath path = session.directory().resolve(name);
        CompletableFuture<List<String>> lines = session.files()
                .stat(path)
                .thenCompose(self -> self.isDirectory()
                        ? session.files()
                                .list(path)
                                .thenApply(entries -> entries.stream()
                                        .map(Entry::name)
                                        .sorted()
                                        .toList())
                        : CompletableFuture.completedFuture(List.of(name)));
        return Sending.lines(session, lines);
    }
}
