package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.concurrent.CompletableFuture;

/** {@code CLNT name} and {@code SITE CLIENTINFO ...}: who the client is, which changes nothing. */
final class ClientVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Replies.now(200, "OK.");
    }
}
