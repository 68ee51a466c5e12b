package io.longhaul.agent;

import io.longhaul.wire.TransferId;
import java.util.Objects;
import java.util.function.Consumer;

/** Holds what is leased before anybody hears that it was delivered. */
final class HoldingListener implements SubscriptionListener {
    private final Consumer<TransferId> holder;
    private final SubscriptionListener next;

    HoldingListener(Consumer<TransferId> holder, SubscriptionListener next) {
        this.holder = holder;
        this.next = Objects.requireNonNull(next, "listener");
    }

    @Override
    public void ended(Delivered delivered) {
        holder.accept(delivered.receipt().transfer());
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
