package io.longhaul.agent.publish;

import io.longhaul.storage.TransferRow;

/**
 * What all publications of one publisher share.
 *
 * @param context what the publisher works with
 * @param gate bytes in flight
 * @param buffers bodies of pieces that are read ahead or in flight
 * @param sending those that offer frames
 * @param spooling those that fill the spool
 * @param hold those that wait for the network or for a subscription
 * @param session number of the publisher's session
 */
record Publishing(
        PublisherContext context,
        SendGate gate,
        PieceBuffers buffers,
        Lane sending,
        Lane spooling,
        Hold hold,
        long session) {
    /** Most pieces that are read and not yet offered, for each publication. */
    static final int AHEAD = 8;

    private static final int SENDERS = 4;
    private static final int SPOOLERS = 8;
    private static final long AHEAD_BYTES = 24L * 1024 * 1024;

    static Publishing of(PublisherContext context, long session) {
        long windowBytes = context.bounds().windowBytes();
        return new Publishing(
                context,
                new SendGate(windowBytes),
                // Every sender may hold a pack while it waits for a second buffer: that much must fit at the least.
                new PieceBuffers(windowBytes + AHEAD_BYTES),
                new Lane(context.platform().executor(), SENDERS),
                new Lane(context.platform().executor(), SPOOLERS),
                new Hold(
                        context.link(),
                        context.platform().delay(),
                        context.platform().nanoTime()),
                session);
    }

    /**
     * Has a run offer frames, once those that came before of the same topic and name have run: the later one is to win. One that
     * waits for something else, a broker or its own bytes, has no place here, and may be passed.
     */
    void send(Outgoing outgoing, Runnable run) {
        TransferRow row = outgoing.record().row();
        sending.submit(row.topic() + '\0' + row.name(), run);
    }

    /** Tells whoever operates the agent what happens to a publication. */
    void tell(Outgoing outgoing, String what) {
        context.platform().notices().accept(outgoing.what() + " " + what);
    }
}
