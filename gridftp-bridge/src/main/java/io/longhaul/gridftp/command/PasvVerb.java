package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code PASV} (RFC 959 section 4.1.2). */
final class PasvVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Passive.open(session, PassiveForm.PASV);
    }
}
