package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** {@code EPSV [1|2|ALL]} (RFC 2428 section 3). */
final class EpsvVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "", "1", "2" -> {
                boolean six = Passive.isSix(session);
                yield argument.strip().equals(six ? "1" : "2")
                        ? Replies.now(522, "Network protocol not supported, use (" + (six ? 2 : 1) + ").")
                        : Passive.open(session, PassiveForm.EPSV);
            }
            case "ALL" -> {
                session.settings().extendedPassiveOnly();
                Passive.forgetOthers(session);
                yield Replies.now(200, "EPSV ALL: from now on no other command sets data connections up.");
            }
            default -> Replies.now(501, "Invalid protocol.");
        };
    }
}
