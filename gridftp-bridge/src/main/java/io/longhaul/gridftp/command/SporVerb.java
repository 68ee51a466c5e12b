package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.DataAddress;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code SPOR address...} (GFD.20 section 3.2): of one stripe, as SPAS gives it. */
final class SporVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        List<InetSocketAddress> addresses = DataAddress.parseSpor(argument);
        return addresses.size() == 1
                ? Active.connectTo(session, addresses)
                : Replies.now(501, "SPOR: expected one address, found " + addresses.size() + ".");
    }
}
