package io.longhaul.gridftp.command;

import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What the argument of LIST and NLST names. */
final class Named {
    private static final Set<Code> UNKNOWN = EnumSet.of(Code.UNAVAILABLE, Code.LASTING, Code.NOT_LOGGED_IN);

    private Named() {}

    /**
     * Returns what is in a directory, or the file, or what matches a pattern in the last name when nothing has that very
     * name; sorted, with names as the client has to write them: bare, or as it wrote the argument.
     */
    static CompletableFuture<List<Entry>> entries(Session session, String argument) {
        FilePath path = session.path(argument);
        String pattern = argument.substring(argument.lastIndexOf('/') + 1);
        CompletableFuture<List<Entry>> exact = session.files()
                .list(path)
                .thenApply(Named::sorted)
                // mostly it is one: to look at it first would be one more way through the network
                .exceptionallyCompose(
                        failure -> BackendException.codeOf(failure).equals(Optional.of(Code.NOT_A_DIRECTORY))
                                ? session.files().stat(path).thenApply(self -> List.of(self.withName(argument)))
                                : CompletableFuture.failedFuture(failure));
        if (!NamePattern.isOne(pattern)) {
            return exact;
        }
        String before = argument.substring(0, argument.length() - pattern.length());
        return exact.exceptionallyCompose(failure -> isUnknown(failure)
                ? CompletableFuture.failedFuture(failure)
                : matching(session, session.path(before), before, new NamePattern(pattern)));
    }

    /** Returns whether nobody could say if there is such a name: who has waited for that need not wait as long again. */
    private static boolean isUnknown(Throwable failure) {
        return BackendException.codeOf(failure).filter(UNKNOWN::contains).isPresent();
    }

    private static CompletableFuture<List<Entry>> matching(
            Session session, FilePath directory, String before, NamePattern pattern) {
        return session.files().list(directory).thenApply(entries -> {
            List<Entry> found = entries.stream()
                    .filter(entry -> pattern.matches(entry.name()))
                    .map(entry -> entry.withName(before + entry.name()))
                    .toList();
            if (found.isEmpty()) {
                throw new BackendException(Code.NOT_FOUND, directory + ": No such file or directory matches");
            }
            return sorted(found);
        });
    }

    private static List<Entry> sorted(List<Entry> entries) {
        return entries.stream().sorted(Comparator.comparing(Entry::name)).toList();
    }
}
