package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings.PassiveForm;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What happens around the opening of a file and before its transfer. ABOR does not wait long for an opening, which may take as
 * long as somebody is away: what opens nevertheless is closed again.
 */
final class Opened<T> {
    /** Most openings end within it, and what they opened is kept for a client that resumes at once. */
    private static final int PATIENCE_MILLIS = 1000;

    private final Session session;
    private final Function<T, CompletableFuture<Void>> undo;
    private final Function<T, CompletableFuture<Reply>> transfer;
    private final CompletableFuture<Reply> last = new CompletableFuture<>();
    private boolean isAborted;

    private Opened(
            Session session,
            Function<T, CompletableFuture<Void>> undo,
            Function<T, CompletableFuture<Reply>> transfer) {
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
    static <F> CompletableFuture<Reply> on(
            Session session,
            CompletableFuture<F> opening,
            Function<F, CompletableFuture<Void>> undo,
            Function<F, CompletableFuture<Reply>> transfer) {
        Opened<F> opened = new Opened<>(session, undo, transfer);
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
        isAborted = true;
        // as after a transfer that fails: the client's connections must not wait for ever
        session.data().reset();
        session.loop().schedule(() -> last.complete(aborted()), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Reply aborted() {
        return Reply.of(426, "Transfer aborted by ABOR.");
    }

    private void undo(T file, Reply reply) {
        undo.apply(file).whenComplete((done, failure) -> last.complete(reply));
    }

    private void start(T file) {
        if (isAborted) {
            undo(file, aborted());
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
                            if (isAborted || !address.isPreliminary()) {
                                undo(file, isAborted ? aborted() : address);
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
