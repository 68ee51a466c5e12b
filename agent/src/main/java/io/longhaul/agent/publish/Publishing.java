package io.longhaul.agent.publish;

/**
 * What all publications of one publisher share.
 *
 * @param context what the publisher works with
 * @param gate bytes in flight
 * @param buffers bodies of pieces that are read ahead or in flight
 * @param sending those that offer frames
 * @param spooling those that fill the spool
 * @param hold those that wait for the network or for a subscription
 * @param precedence those that are to be announced
 * @param session number of the publisher's session
 */
record Publishing(
        PublisherContext context,
        SendGate gate,
        PieceBuffers buffers,
        Lane sending,
        Lane spooling,
        Hold hold,
        Precedence precedence,
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
                new Precedence(),
                session);
    }

    /**
     * Has a run offer frames, once those that came before of the same topic and name have run. One that waits for something
     * else, a broker or its own bytes, has no place here; {@link Precedence} keeps it from being passed.
     */
    void send(Outgoing outgoing, Runnable run) {
        sending.submit(Precedence.nameOf(outgoing), run);
    }

    /** Tells whoever operates the agent what happens to a publication. */
    void tell(Outgoing outgoing, String what) {
        context.platform().notices().accept(outgoing.what() + " " + what);
    }
}
