package io.longhaul.agent.receive;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Frame;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Offers frames to the link on a thread of its own, since the link may block for as long as the network is away.
 *
 * <p>That thread touches no file and no ledger, so it may be interrupted.
 */
final class Outbox {
    private final Executor thread;
    private final Link link;

    Outbox(Executor thread, Link link) {
        this.thread = thread;
        this.link = link;
    }

    void offer(String address, Frame frame, String deduplication, OfferListener listener) {
        try {
            thread.execute(() -> {
                try {
                    link.offer(address, frame, deduplication, listener);
                } catch (LinkException e) {
                    listener.refused(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    listener.refused(new LinkException(LinkException.Code.CLOSED, "the subscription closes", e));
                }
            });
        } catch (RejectedExecutionException e) {
            listener.refused(new LinkException(LinkException.Code.CLOSED, "the subscription is closed", e));
        }
    }
}
