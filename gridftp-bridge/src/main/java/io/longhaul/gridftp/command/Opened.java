package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What happens between the opening of a file and its transfer. */
final class Opened {
    private Opened() {}

    static Reply beginning(boolean cached) {
        return cached
                ? Reply.of(125, "Beginning transfer; reusing existing data connection.")
                : Reply.of(150, "Beginning transfer.");
    }

    /**
     * Goes back to the session's loop, tells a delayed passive address, and starts the transfer.
     *
     * @param undo when there is no address to tell
     */
    static CompletableFuture<Reply> on(Session session, Runnable undo, Supplier<CompletableFuture<Reply>> transfer) {
        CompletableFuture<Reply> last = new CompletableFuture<>();
        session.loop().execute(() -> start(session, undo, transfer, last));
        return last;
    }

    private static void start(
            Session session,
            Runnable undo,
            Supplier<CompletableFuture<Reply>> transfer,
            CompletableFuture<Reply> last) {
        if (session.isAborting()) {
            undo.run();
            last.complete(Reply.of(426, "Transfer aborted by ABOR."));
            return;
        }
        Optional<PassiveForm> pending = session.settings().pendingPassive();
        if (pending.isEmpty()) {
            transfer.get().thenAccept(last::complete);
            return;
        }
        if (!session.settings().isExtended()) {
            session.settings().pendingPassive(Optional.empty());
        } else if (session.data().isPassive()) {
            // told with an earlier transfer, whose connections may still be there
            transfer.get().thenAccept(last::complete);
            return;
        }
        Passive.listen(session, pending.get(), true)
                .thenAcceptAsync(
                        address -> {
                            if (!address.isPreliminary()) {
                                undo.run();
                                last.complete(address);
                                return;
                            }
                            session.reply(address);
                            transfer.get().thenAccept(last::complete);
                        },
                        session.loop());
    }
}
