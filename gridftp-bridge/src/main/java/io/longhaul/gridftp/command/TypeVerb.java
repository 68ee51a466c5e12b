package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** {@code TYPE A|I} (RFC 959 section 3.1.1); holds for the next transfer, whenever its address was set. */
final class TypeVerb implements Verb {
    /** What the grammar has: text for printers, EBCDIC, bytes of other sizes. */
    private static final Pattern KNOWN = Pattern.compile("A [TC]|E( [NTC])?|L ?[0-9]{1,3}");

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String wanted = argument.strip().toUpperCase(Locale.ROOT);
        switch (wanted) {
            case "I", "L 8", "L8" -> session.settings().text(false);
            case "A", "A N" -> session.settings().text(true);
            default -> {
                return KNOWN.matcher(wanted).matches()
                        ? Replies.now(504, "TYPE " + wanted + " not supported: expected A, A N, I or L 8.")
                        : Replies.now(501, "'TYPE " + argument.strip() + "' unrecognized type.");
            }
        }
        return Replies.now(200, "Type set to " + wanted.substring(0, 1) + ".");
    }
}
