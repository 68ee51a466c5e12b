package io.longhaul.agent;

import io.longhaul.wire.TransferId;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds what is leased before anybody hears that it was delivered. */
final class HoldingListener implements SubscriptionListener {
    private static final Logger LOG = LoggerFactory.getLogger(HoldingListener.class);

    private final Consumer<TransferId> holder;
    private final SubscriptionListener next;

    HoldingListener(Consumer<TransferId> holder, SubscriptionListener next) {
        this.holder = holder;
        this.next = Objects.requireNonNull(next, "listener");
    }

    @Override
    public void ended(Delivered delivered) {
        TransferId transfer = delivered.receipt().transfer();
        try {
            holder.accept(transfer);
        } catch (RuntimeException e) {
            LOG.warn("transfer {}: what was promised of it is not held", transfer, e);
        }
        next.ended(delivered);
    }

    @Override
    public void progress(Progress progress) {
        next.progress(progress);
    }

    @Override
    public void notice(String line) {
        next.notice(line);
    }
}
