package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Entry;
import java.util.concurrent.CompletableFuture;

/** {@code NLST [path]} (RFC 959 section 4.1.3): names, to which a client can append the directory. */
final class NlstVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Sending.lines(
                session,
                Named.entries(session, NameOptions.path(argument))
                        .thenApply(entries -> entries.stream().map(Entry::name).toList()));
    }
}
