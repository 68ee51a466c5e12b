package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.DataAddress;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code SPOR address...} (GFD.20 section 3.2): of one stripe, as SPAS gives it. A client that copies from here to a server of several
 * hosts ({@code globus-url-copy -stripe}) has all their addresses from that one's SPAS; each of them would have to be told an end of its
 * own.
 */
final class SporVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        List<InetSocketAddress> addresses = DataAddress.parseSpor(argument);
        return addresses.size() == 1
                ? Active.connectTo(session, addresses)
                : Replies.now(
                        504,
                        "SPOR: expected the address of one stripe, found " + addresses.size()
                                + ": nothing is sent to servers of several hosts; copy without -stripe.");
    }
}
