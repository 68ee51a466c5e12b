package io.longhaul.broker.artemis;

import java.util.List;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.server.Consumer;
import org.apache.activemq.artemis.core.server.HandleStatus;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.jspecify.annotations.Nullable;

/** Somebody who is there and whom the queue gives nothing. */
class IdleConsumer implements Consumer {
    @Override
    public HandleStatus handle(MessageReference reference) {
        return HandleStatus.BUSY;
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
        return "idle";
    }

    @Override
    public String toManagementString() {
        return "idle";
    }

    @Override
    public void disconnect() {}

    @Override
    public void failed(Throwable failure) {}

    @Override
    public long sequentialID() {
        return 1;
    }
}
