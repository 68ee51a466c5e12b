package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@code SITE command argument}: a table of its own; as many blanks before the command as a client likes. */
final class SiteVerb implements Verb {
    private final Map<String, Verb> verbs;

    SiteVerb(Map<String, Verb> verbs) {
        this.verbs = Map.copyOf(verbs);
    }

    @Override
    public CompletableFuture<Reply> run(Session session, String given) {
        String argument = given.stripLeading();
        int space = argument.indexOf(' ');
        String name = (space < 0 ? argument : argument.substring(0, space)).toUpperCase(Locale.ROOT);
        Verb verb = verbs.get(name);
        if (verb == null) {
            return Replies.now(500, "Invalid command.");
        }
        if (session.login().user().isEmpty() && !verb.isForStrangers()) {
            return Replies.now(530, "Please login with USER and PASS.");
        }
        return verb.run(session, space < 0 ? "" : argument.substring(space + 1));
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
