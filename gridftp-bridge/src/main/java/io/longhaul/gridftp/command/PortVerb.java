package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.DataAddress;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code PORT h1,h2,h3,h4,p1,p2} (RFC 959 section 4.1.2). */
final class PortVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        return Active.connectTo(session, List.of(DataAddress.parsePort(argument)));
    }
}
