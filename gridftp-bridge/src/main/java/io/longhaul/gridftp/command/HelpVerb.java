package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code HELP} and {@code SITE HELP} (RFC 959 section 4.1.3); Globus clients look for names in it. */
final class HelpVerb implements Verb {
    private static final int IN_A_LINE = 8;

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        List<String> names = new ArrayList<>(session.context().verbs().names());
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < names.size(); at += IN_A_LINE) {
            lines.add("    " + String.join("    ", names.subList(at, Math.min(names.size(), at + IN_A_LINE))));
        }
        return CompletableFuture.completedFuture(Reply.of(214, "The following commands are recognized:", lines, "End"));
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
