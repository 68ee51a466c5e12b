package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What PORT and its relatives have in common. */
final class Active {
    private Active() {}

    /** RFC 2577 section 3: a server that connects anywhere for anybody attacks others in their name. */
    static CompletableFuture<Reply> connectTo(Session session, List<InetSocketAddress> addresses) {
        if (session.settings().isExtendedPassiveOnly()) {
            return Replies.afterEpsvAll();
        }
        for (InetSocketAddress address : addresses) {
            if (!session.data().network().mayGoTo(address)) {
                return Replies.now(
                        504,
                        "Data connections go to your own address only, and to no port below 1024; found "
                                + address.getAddress().getHostAddress() + " port " + address.getPort() + ".");
            }
        }
        session.data().connectTo(addresses);
        session.settings().delayed(false);
        session.settings().pendingPassive(Optional.empty());
        return Replies.now(200, "PORT Command successful.");
    }
}
