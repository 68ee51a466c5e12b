package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.DataAddress;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What PASV and its relatives have in common. */
final class Passive {
    private Passive() {}

    static boolean isSix(Session session) {
        return session.publicAddress() instanceof Inet6Address;
    }

    static CompletableFuture<Reply> open(Session session, PassiveForm form) {
        if (form != PassiveForm.EPSV && session.settings().isExtendedPassiveOnly()) {
            return Replies.afterEpsvAll();
        }
        boolean numbers = form == PassiveForm.PASV || form == PassiveForm.SPAS;
        if (numbers && isSix(session)) {
            return Replies.now(522, "Network protocol not supported, use EPSV.");
        }
        if (session.settings().isDelayed()) {
            session.data().reset();
            session.settings().pendingPassive(Optional.of(form));
            return Replies.now(200, "Passive delayed.");
        }
        session.settings().pendingPassive(Optional.empty());
        return listen(session, form, false);
    }

    /** An address that the client is still to be told of must not come in a form that it has just ruled out. */
    static void forgetOthers(Session session) {
        session.settings().pendingPassive(session.settings().pendingPassive().filter(form -> form == PassiveForm.EPSV));
    }

    /** Listens and returns the reply that tells where, as the last one of a command or, delayed, before it. */
    static CompletableFuture<Reply> listen(Session session, PassiveForm form, boolean delayed) {
        return session.data()
                .listen()
                .handle((address, failure) -> failure == null
                        ? reply(form, delayed, new InetSocketAddress(session.publicAddress(), address.getPort()))
                        : Reply.of(425, "Cannot listen for data connections: " + failure.getMessage()));
    }

    private static Reply reply(PassiveForm form, boolean delayed, InetSocketAddress address) {
        int shift = delayed ? 100 : 0;
        return switch (form) {
            case PASV -> Reply.of(227 - shift, "Entering Passive Mode (" + DataAddress.port(address) + ")");
            case EPSV -> Reply.of(229 - shift, "Entering Extended Passive Mode " + DataAddress.epsv(address.getPort()));
            case SPAS -> striped(229 - shift, DataAddress.port(address));
            case SPAS_EXTENDED -> striped(229 - shift, DataAddress.eprt(address));
        };
    }

    private static Reply striped(int code, String address) {
        return Reply.of(code, "Entering Striped Passive Mode.", List.of(" " + address), "End");
    }
}
