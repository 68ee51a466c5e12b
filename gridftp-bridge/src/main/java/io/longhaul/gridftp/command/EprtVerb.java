package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.DataAddress;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code EPRT |protocol|address|port|} (RFC 2428 section 2). */
final class EprtVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        if (DataAddress.isOfOtherProtocol(argument)) {
            return Replies.now(522, "Network protocol not supported, use (1,2).");
        }
        return Active.connectTo(session, List.of(DataAddress.parseEprt(argument)));
    }
}
