package io.longhaul.broker.artemis;

import java.util.List;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.server.Consumer;
import org.apache.activemq.artemis.core.server.HandleStatus;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;

/** Where messages leave one queue for a link. */
final class LinkTap implements Consumer {
    private final LinkOutlet outlet;
    private final Queue queue;
    private final long id;

    LinkTap(LinkOutlet outlet, Queue queue, long id) {
        this.outlet = outlet;
        this.queue = queue;
        this.id = id;
    }

    @Override
    public HandleStatus handle(MessageReference reference) {
        return outlet.handle(reference);
    }

    @Override
    public boolean supportsDirectDelivery() {
        return false;
    }

    @Override
    public void proceedDeliver(MessageReference reference) {}

    @Override
    public @Nullable Filter getFilter() {
        return null;
    }

    /** Says none: to one that comes back while it has some, Artemis gives no more until it has none, and then forgets to. */
    @Override
    public List<MessageReference> getDeliveringMessages() {
        return List.of();
    }

    /** Returns what it was given and the neighbour has not taken, oldest first. */
    List<MessageReference> underWay() {
        return outlet.underWay(queue);
    }

    @Override
    public String debug() {
        return toString();
    }

    @Override
    public String toManagementString() {
        return toString();
    }

    @Override
    public void disconnect() {}

    @Override
    public void failed(Throwable failure) {}

    @Override
    public long sequentialID() {
        return id;
    }

    @Override
    public String toString() {
        return outlet.toString();
    }
}
