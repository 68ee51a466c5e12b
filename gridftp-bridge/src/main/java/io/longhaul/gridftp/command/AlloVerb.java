package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.math.BigInteger;
import java.util.concurrent.CompletableFuture;

/** {@code ALLO bytes [R size]} (RFC 959 section 4.1.3): how much the next file will have at least. */
final class AlloVerb implements Verb {
    /** No file has more, and no disk: the command that stores is refused. */
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String bytes = argument.strip().split(" ", 2)[0];
        if (!bytes.matches("[0-9]+")) {
            return Replies.now(501, "ALLO: expected a number of bytes.");
        }
        session.settings().allocation(new BigInteger(bytes).min(MOST).longValueExact());
        return Replies.now(200, "ALLO command successful.");
    }
}
