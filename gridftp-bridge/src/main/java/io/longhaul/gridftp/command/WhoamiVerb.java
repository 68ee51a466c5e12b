package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Principal;
import java.util.concurrent.CompletableFuture;

/** {@code SITE WHOAMI}. */
final class WhoamiVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Replies.now(200, session.login().user().map(Principal::name).orElse("nobody"));
    }
}
