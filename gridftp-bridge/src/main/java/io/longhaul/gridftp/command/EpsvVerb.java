package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** {@code EPSV [1|2|ALL]} (RFC 2428 section 3): numbers are those of network protocols. */
final class EpsvVerb implements Verb {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String protocol = argument.strip().toUpperCase(Locale.ROOT);
        if (protocol.equals("ALL")) {
            session.settings().extendedPassiveOnly();
            Passive.forgetOthers(session);
            return Replies.now(200, "EPSV ALL: from now on no other command sets data connections up.");
        }
        String own = Passive.isSix(session) ? "2" : "1";
        if (protocol.isEmpty() || protocol.equals(own)) {
            return Passive.open(session, PassiveForm.EPSV);
        }
        return NUMBER.matcher(protocol).matches()
                ? Replies.now(522, "Network protocol not supported, use (" + own + ").")
                : Replies.now(501, "Invalid protocol.");
    }
}
