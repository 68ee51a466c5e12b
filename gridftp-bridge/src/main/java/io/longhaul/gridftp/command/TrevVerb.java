package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** {@code TREV PERF|RESTART seconds} (GFD.47): how often a receiving server tells how far it is. */
final class TrevVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String[] words = argument.strip().toUpperCase(Locale.ROOT).split(" +", -1);
        if (words.length != 2 || !words[1].matches("[0-9]{1,5}")) {
            return Replies.now(501, "TREV: expected an event and a number of seconds.");
        }
        Duration period = Duration.ofSeconds(Long.parseLong(words[1]));
        switch (words[0]) {
            case "PERF" -> session.settings().receivingPerformance(period);
            case "RESTART" -> session.settings().receivingRanges(period);
            default -> {
                return Replies.now(502, "Unsupported event.");
            }
        }
        return Replies.now(200, "Command Successful.");
    }
}
