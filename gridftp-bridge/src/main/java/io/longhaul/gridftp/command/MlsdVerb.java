package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** {@code MLSD [path]} (RFC 3659 section 7). */
final class MlsdVerb implements Verb {
    /** Lines of a directory that are no entries: itself and the one above. */
    static final int BESIDES = 2;

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Sending.lines(session, lines(session, argument));
    }

    /** Returns the lines of a directory: itself, the one above, what is in it. */
    static CompletableFuture<List<String>> lines(Session session, String argument) {
        FilePath path = session.path(argument);
        Set<Fact> facts = session.settings().facts();
        return session.files().directory(path).thenApply(found -> {
            List<String> lines = new ArrayList<>(found.entries().size() + BESIDES);
            lines.add(FactLines.of(found.self(), "cdir", ".").text(facts));
            lines.add(FactLines.of(found.self(), "pdir", "..").text(facts));
            for (Entry entry : found.entries()) {
                lines.add(
                        FactLines.of(entry, FactLines.type(entry), entry.name()).text(facts));
            }
            return lines;
        });
    }
}
