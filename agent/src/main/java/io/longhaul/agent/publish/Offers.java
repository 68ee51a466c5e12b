package io.longhaul.agent.publish;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Seal;
import org.jspecify.annotations.Nullable;

/**
 * Offers the frames of one transfer and keeps count of their outcomes.
 *
 * <p>One thread at a time offers; outcomes arrive on the link's threads.
 */
final class Offers {
    private final Link link;
    private final SendGate gate;
    private final PieceBuffers buffers;
    private final Halt halt;
    private final Tally tally;
    private final AckLog acks;
    private final int priority;
    private final String address;
    private final String transfer;
    private int outstanding; // guarded by this
    private @Nullable LinkException refusal; // guarded by this
    private volatile boolean announcing;

    Offers(Publishing publishing, Manifest manifest, int priority, Halt halt, Tally tally, AckLog acks) {
        this.link = publishing.context().link();
        this.priority = priority;
        this.gate = publishing.gate();
        this.buffers = publishing.buffers();
        this.halt = halt;
        this.tally = tally;
        this.acks = acks;
        this.address = Addresses.topic(manifest.topic());
        this.transfer = manifest.transfer().toString();
    }

    /** Whether receivers may have heard of the transfer from this process. */
    boolean isAnnouncing() {
        return announcing;
    }

    void manifest(Manifest manifest, Runnable whenSafe) throws InterruptedException {
        announcing = true;
        offer(manifest, transfer + "/manifest", new Outcome(null, SendGate.FRAME_BYTES, whenSafe));
    }

    void seal(Seal seal) throws InterruptedException {
        offer(seal, transfer + "/seal", new Outcome(null, SendGate.FRAME_BYTES, () -> {}));
    }

    /** Offers a piece; its body goes back to the buffers with its outcome. */
    void piece(Fragment fragment) throws InterruptedException {
        int bodyBytes = fragment.body().remaining();
        Outcome outcome = new Outcome(fragment, SendGate.FRAME_BYTES + bodyBytes, () -> {});
        try {
            requireNoRefusal();
            tally.offering(fragment.index(), bodyBytes);
        } catch (LinkException e) {
            buffers.release(fragment.body());
            throw e;
        }
        offer(fragment.piece(), transfer + "/" + fragment.index(), outcome);
    }

    private void offer(Frame frame, String deduplication, Outcome outcome) throws InterruptedException {
        boolean offered = false;
        boolean entered = false;
        try {
            gate.enter(outcome.gateBytes, halt);
            entered = true;
            synchronized (this) {
                outstanding++;
            }
            link.offer(address, frame, deduplication, priority, outcome);
            offered = true;
        } finally {
            if (!offered && entered) {
                outcome.settle();
            } else if (!offered) {
                outcome.release();
            }
        }
    }

    private synchronized void requireNoRefusal() {
        if (refusal != null) {
            throw new LinkException(refusal.code(), String.valueOf(refusal.getMessage()), refusal);
        }
    }

    /** Waits until everything offered is safe; throws the first refusal. */
    void awaitSafe() throws InterruptedException {
        synchronized (this) {
            while (outstanding > 0 && refusal == null) {
                halt.await(this);
            }
        }
        requireNoRefusal();
    }

    private final class Outcome implements OfferListener {
        private final @Nullable Fragment fragment;
        private final int gateBytes;
        private final Runnable whenSafe;
        private boolean settled; // guarded by the outer instance

        Outcome(@Nullable Fragment fragment, int gateBytes, Runnable whenSafe) {
            this.fragment = fragment;
            this.gateBytes = gateBytes;
            this.whenSafe = whenSafe;
        }

        @Override
        public void safe() {
            if (fragment != null) {
                tally.safe(fragment.content());
                acks.safe(fragment.row(true, -1));
            }
            whenSafe.run();
            settle();
        }

        @Override
        public void refused(LinkException reason) {
            synchronized (Offers.this) {
                if (refusal == null) {
                    refusal = reason;
                }
            }
            settle();
        }

        @Override
        public void resent() {
            if (fragment != null) {
                tally.resent(fragment.body().remaining());
            }
        }

        void settle() {
            synchronized (Offers.this) {
                if (settled) {
                    return;
                }
                settled = true;
                outstanding--;
                Offers.this.notifyAll();
            }
            gate.leave(gateBytes);
            release();
        }

        void release() {
            if (fragment != null) {
                buffers.release(fragment.body());
            }
        }
    }
}
