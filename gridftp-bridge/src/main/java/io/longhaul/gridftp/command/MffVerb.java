package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** {@code MFF fact=value;... path} (draft-somers-ftp-mfxx): sets {@code Modify} and {@code UNIX.mode}. */
final class MffVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        int space = argument.indexOf("; ");
        if (space < 0 || space + 2 == argument.length()) {
            return Replies.now(501, "MFF: expected fact=value; and a path.");
        }
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        for (String fact : argument.substring(0, space).split(";", -1)) {
            String[] words = fact.split("=", 2);
            Optional<Fact> known = Fact.of(words[0]);
            if (words.length < 2 || known.isEmpty()) {
                return Replies.now(501, "MFF: expected fact=value; and a path.");
            }
            facts.put(known.get(), words[1]);
        }
        return set(session.files(), session.path(argument.substring(space + 2)), facts)
                .map(done -> done.thenApply(all -> Reply.of(213, argument)))
                .orElseGet(() -> Replies.now(504, "MFF: Modify and UNIX.mode (0 to 777) can be set."));
    }

    /** Checks everything before it changes anything. */
    private static Optional<CompletableFuture<Void>> set(Backend files, FilePath path, Map<Fact, String> facts) {
        Optional<Instant> time = Optional.ofNullable(facts.remove(Fact.MODIFY)).map(MfmtVerb::time);
        Optional<String> digits = Optional.ofNullable(facts.remove(Fact.UNIX_MODE));
        OptionalInt mode = ChmodVerb.mode(digits.orElse("0"));
        if (!facts.isEmpty() || mode.isEmpty()) {
            return Optional.empty();
        }
        CompletableFuture<Void> modified = time.map(value -> files.setModified(path, value))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
        return Optional.of(modified.thenCompose(done ->
                digits.isEmpty() ? CompletableFuture.completedFuture(null) : files.setMode(path, mode.getAsInt())));
    }
}
