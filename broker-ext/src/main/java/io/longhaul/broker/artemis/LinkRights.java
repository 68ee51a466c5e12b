package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a neighbour may do here. One that this broker connected to by itself may do everything; one that logged in has
 * the rights of its account, as they are now: it publishes, subscribes and sends receipts for all agents behind it.
 */
final class LinkRights {
    private final Optional<Supplier<Optional<Account>>> account;

    private LinkRights(Optional<Supplier<Optional<Account>>> account) {
        this.account = account;
    }

    static LinkRights all() {
        return new LinkRights(Optional.empty());
    }

    static LinkRights of(Supplier<Optional<Account>> account) {
        return new LinkRights(Optional.of(account));
    }

    /** Returns whether messages for an address may come from there. */
    boolean maySend(String address) {
        return account.isEmpty()
                || account.get()
                        .get()
                        .map(known -> TopicRights.maySend(known, address))
                        .orElse(false);
    }

    /** Returns whether a queue may be kept there, so that what is sent to its address goes there. */
    boolean mayKeep(String queue) {
        if (account.isEmpty()) {
            return true;
        }
        try {
            String address = Addresses.addressOf(queue);
            boolean addressOnly = queue.equals(address);
            return address.startsWith(Addresses.BROKER_PREFIX)
                    || account.get()
                            .get()
                            .map(known -> TopicRights.mayKeep(known, address, queue, addressOnly))
                            .orElse(false);
        } catch (WireException e) {
            return false;
        }
    }

    /** Returns whether the other end may know of a queue: only if it may send there. */
    boolean mayKnow(String queue) {
        return account.isEmpty() || maySend(Addresses.addressOf(queue));
    }
}
