package io.longhaul.gridftp.command;

import io.longhaul.gridftp.data.MarkerPeriods;
import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code OPTS command options} (RFC 2389 section 4, GFD.20 section 3.6). */
final class OptsVerb implements Verb {
    private static final Pattern PARALLELISM =
            Pattern.compile("Parallelism=([0-9]{1,5})(,[0-9]{1,5})*", Pattern.CASE_INSENSITIVE);
    private static final Pattern MARKERS = Pattern.compile("Markers=([0-9]{1,5})", Pattern.CASE_INSENSITIVE);
    private static final Pattern DELAYED = Pattern.compile("AllowDelayed=([01]);?", Pattern.CASE_INSENSITIVE);
    private static final Pattern LAYOUT =
            Pattern.compile("StripeLayout=[A-Za-z]+|BlockSize=[0-9]{1,18}", Pattern.CASE_INSENSITIVE);
    private static final int MOST_PARALLELISM = 32;

    @Override
    public CompletableFuture<Reply> run(Session session, String given) {
        String argument = given.stripLeading();
        int space = argument.indexOf(' ');
        String command = (space < 0 ? argument : argument.substring(0, space)).toUpperCase(Locale.ROOT);
        String options = space < 0 ? "" : argument.substring(space + 1);
        return switch (command) {
            case "RETR" -> retrieval(session, options);
            case "PASV", "EPSV", "SPAS" -> passive(session, options);
            case "CKSM" -> checksum(session, options);
            case "MLST" -> {
                Set<Fact> facts = Fact.selection(options);
                session.settings().facts(facts);
                String names = facts.stream().map(fact -> fact.text() + ";").collect(Collectors.joining());
                yield Replies.now(200, ("MLST OPTS " + names).strip());
            }
            case "UTF8" ->
                options.strip().equalsIgnoreCase("ON")
                        ? Replies.now(200, "UTF8 is always on.")
                        : Replies.now(504, "UTF8 is always on.");
            default -> Replies.now(501, "OPTS: nothing to set for that command.");
        };
    }

    /** A layout says which stripe has which bytes; of one stripe it says nothing. */
    private static CompletableFuture<Reply> retrieval(Session session, String options) {
        for (String option : options.strip().split(";", -1)) {
            Matcher parallelism = PARALLELISM.matcher(option.strip());
            Matcher markers = MARKERS.matcher(option.strip());
            if (parallelism.matches()) {
                int wanted = Integer.parseInt(parallelism.group(1));
                session.settings().parallelism(Math.max(1, Math.min(MOST_PARALLELISM, wanted)));
            } else if (markers.matches()) {
                Duration period = Duration.ofSeconds(Long.parseLong(markers.group(1)));
                session.settings().sending(new MarkerPeriods(period, Duration.ZERO));
            } else if (!option.isBlank() && !LAYOUT.matcher(option.strip()).matches()) {
                return Replies.now(501, "OPTS RETR: expected Parallelism=N,N,N; StripeLayout=...; or Markers=N;");
            }
        }
        return Replies.now(200, "OPTS Command Successful.");
    }

    private static CompletableFuture<Reply> passive(Session session, String options) {
        Matcher delayed = DELAYED.matcher(options.strip());
        if (!delayed.matches()) {
            return Replies.now(501, "OPTS PASV: expected AllowDelayed=0; or AllowDelayed=1;");
        }
        session.settings().delayed(delayed.group(1).equals("1"));
        return Replies.now(200, "OPTS Command Successful.");
    }

    private static CompletableFuture<Reply> checksum(Session session, String options) {
        Matcher markers = MARKERS.matcher(options.strip().replace(";", ""));
        if (!markers.matches()) {
            return Replies.now(501, "OPTS CKSM: expected markers=N;");
        }
        session.settings().checksumMarkers(Duration.ofSeconds(Long.parseLong(markers.group(1))));
        return Replies.now(200, "OPTS Command Successful.");
    }
}
