package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** {@code SITE CHMOD mode path}: the nine permission bits, in octal digits. */
final class ChmodVerb implements Verb {
    private static final Pattern MODE = Pattern.compile("0{0,4}[0-7]{1,3}");
    private static final int OCTAL = 8;

    @Override
    public CompletableFuture<Reply> run(Session session, String given) {
        String argument = given.stripLeading();
        int space = argument.indexOf(' ');
        OptionalInt mode = mode(space < 0 || space == argument.length() - 1 ? "" : argument.substring(0, space));
        if (mode.isEmpty()) {
            return Replies.now(501, "SITE CHMOD: expected a mode of 0 to 777 and a path.");
        }
        return session.files()
                .setMode(session.path(argument.substring(space + 1)), mode.getAsInt())
                .thenApply(done -> Replies.ok());
    }

    /** Returns the bits of octal digits; none for anything else, also for bits that change who a program runs as. */
    static OptionalInt mode(String digits) {
        return MODE.matcher(digits).matches() ? OptionalInt.of(Integer.parseInt(digits, OCTAL)) : OptionalInt.empty();
    }
}
