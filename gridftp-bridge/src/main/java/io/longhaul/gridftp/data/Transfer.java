package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Bytes of one command on their way over data connections. */
abstract class Transfer implements DataLink.Owner {
    private final CompletableFuture<Reply> outcome = new CompletableFuture<>();

    /** Returns the last reply of the command. */
    final CompletableFuture<Reply> outcome() {
        return outcome;
    }

    final boolean isOver() {
        return outcome.isDone();
    }

    /** Returns whether one more connection can be of use. */
    abstract boolean wantsLinks();

    /** Gives it a connection; it may come to nothing. */
    abstract void take(DataLink link);

    /** Returns the connections that it has. */
    abstract List<DataLink> links();

    /** Ends it with a reply; what it holds is closed. */
    abstract void abort(Reply reply);

    /**
     * Ends it as {@link #abort} for a client that wants no more of it and does not wait: what cannot be undone any more goes
     * on without it.
     */
    void leave(Reply reply) {
        abort(reply);
    }

    /** Ends it as {@link #abort}, after something that a client may recover from by resuming. */
    abstract void cut(Reply reply);

    /**
     * The control connection is gone, and with it whoever would be told: goes on only with what the client sent before, if that
     * can be known to be all. Done when nothing more is taken from the client or given to it.
     */
    abstract CompletableFuture<Void> orphan(Reply reply);

    /** Returns how many bytes have moved. */
    abstract long bytes();

    /** Returns whether it waits for the client, and not for the back end. */
    abstract boolean waitsForClient();

    /** A moment has passed. */
    void tick() {}
}
