package io.longhaul.broker.artemis;

import java.util.List;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.server.Consumer;
import org.apache.activemq.artemis.core.server.HandleStatus;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.jspecify.annotations.Nullable;

/** Where messages leave one queue for a link. */
final class LinkTap implements Consumer {
    private final LinkOutlet outlet;
    private final long id;

    LinkTap(LinkOutlet outlet, long id) {
        this.outlet = outlet;
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

    @Override
    public List<MessageReference> getDeliveringMessages() {
        return List.of();
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
