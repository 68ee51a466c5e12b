package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What happens around the opening of a file and before its transfer. ABOR does not wait for an opening, which may take as long
 * as somebody is away: what opens nevertheless is closed again.
 */
final class Opened<T> {
    private final Session session;
    private final Consumer<T> undo;
    private final Function<T, CompletableFuture<Reply>> transfer;
    private final CompletableFuture<Reply> last = new CompletableFuture<>();

    private Opened(Session session, Consumer<T> undo, Function<T, CompletableFuture<Reply>> transfer) {
        this.session = session;
        this.undo = undo;
        this.transfer = transfer;
    }

    static Reply beginning(boolean cached) {
        return cached
                ? Reply.of(125, "Beginning transfer; reusing existing data connection.")
                : Reply.of(150, "Beginning transfer.");
    }

    /**
     * Waits for what is opened, goes back to the session's loop, tells a delayed passive address, and starts the transfer.
     *
     * @param undo for what was opened and is not transferred
     */
    static <T> CompletableFuture<Reply> on(
            Session session,
            CompletableFuture<T> opening,
            Consumer<T> undo,
            Function<T, CompletableFuture<Reply>> transfer) {
        Opened<T> opened = new Opened<>(session, undo, transfer);
        session.whenUnwanted(opened::abort);
        opening.whenComplete((file, failure) -> session.loop().execute(() -> {
            if (failure != null) {
                opened.last.completeExceptionally(failure);
            } else {
                opened.start(file);
            }
        }));
        return opened.last;
    }

    private void abort() {
        // as after a transfer that fails: the client's connections must not wait for ever
        session.data().reset();
        last.complete(Reply.of(426, "Transfer aborted by ABOR."));
    }

    private void start(T file) {
        if (last.isDone()) {
            undo.accept(file);
            return;
        }
        Optional<PassiveForm> pending = session.settings().pendingPassive();
        if (pending.isEmpty()) {
            begin(file);
            return;
        }
        if (!session.settings().isExtended()) {
            session.settings().pendingPassive(Optional.empty());
        } else if (session.data().isPassive()) {
            // told with an earlier transfer, whose connections may still be there
            begin(file);
            return;
        }
        Passive.listen(session, pending.get(), true)
                .thenAcceptAsync(
                        address -> {
                            if (last.isDone() || !address.isPreliminary()) {
                                undo.accept(file);
                                last.complete(address);
                                return;
                            }
                            session.reply(address);
                            begin(file);
                        },
                        session.loop());
    }

    private void begin(T file) {
        // from here on it is the transfer that is aborted
        session.whenUnwanted(() -> {});
        transfer.apply(file).thenAccept(last::complete);
    }
}
