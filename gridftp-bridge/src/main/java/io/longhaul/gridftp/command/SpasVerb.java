package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code SPAS [2]} (GFD.20 section 3.2): one stripe. */
final class SpasVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        boolean extended = argument.strip().equals("2");
        if (!extended && !argument.isBlank()) {
            return Replies.now(501, "SPAS: expected nothing or 2.");
        }
        return Passive.open(session, extended ? PassiveForm.SPAS_EXTENDED : PassiveForm.SPAS);
    }
}
