package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.Message;

/**
 * What a neighbour may do here. One that this broker connected to by itself may do everything; one that logged in has
 * the rights of its account, as they are now: it publishes, subscribes and sends receipts for all agents behind it.
 */
final class LinkRights {
    private final Optional<Login> login;
    private final Optional<AccountWatch.State> begun;

    /** An account by its name, and where accounts are looked up. */
    private record Login(String user, Function<String, Optional<Account>> accounts) {
        Optional<Account> account() {
            return accounts.apply(user).filter(Account::mayLink);
        }

        Optional<AccountWatch.State> state() {
            return AccountWatch.State.of(account());
        }
    }

    private LinkRights(Optional<Login> login) {
        this.login = login;
        this.begun = login.flatMap(Login::state);
    }

    static LinkRights all() {
        return new LinkRights(Optional.empty());
    }

    /** Takes where an account is found by its name, as it is at the time. */
    static LinkRights of(String user, Function<String, Optional<Account>> accounts) {
        return new LinkRights(Optional.of(new Login(user, accounts)));
    }

    /** Returns whether the account is another one than it was at first, or may link no more. */
    boolean haveChanged() {
        return !login.flatMap(Login::state).equals(begun);
    }

    /** Returns the account; empty for a neighbour that did not log in. */
    Optional<String> user() {
        return login.map(Login::user);
    }

    /**
     * Returns whether the neighbour may use a broker's name that was used with an account before: with the same account,
     * or with any other once that one may link no more.
     */
    boolean mayUseNameOf(Optional<String> owner) {
        return login.isEmpty()
                || owner.isEmpty()
                || owner.get().equals(login.get().user())
                || login.get()
                        .accounts()
                        .apply(owner.get())
                        .filter(Account::mayLink)
                        .isEmpty();
    }

    /** Returns why a message may not come from there; empty when it may. */
    Optional<String> objection(Message message, String address) {
        if (!maySend(address)) {
            return Optional.of("its account may not send to " + address);
        }
        try {
            if (Addresses.isEndpoint(address)) {
                ParcelRules.check(message);
                String sender = Addresses.endpoint(FrameProperties.sender(message));
                if (!mayKeep(sender)) {
                    return Optional.of("its account may not send as " + sender);
                }
            }
            Optional<String> retained = FrameProperties.retainedTopic(message);
            if (retained.isPresent() && !maySend(Addresses.topic(retained.get()))) {
                return Optional.of("its account may not tell what is retained of topic " + retained.get());
            }
            return FrameProperties.repairTopic(message)
                    .filter(topic -> !maySubscribe(topic))
                    .map(topic -> "its account may not ask for pieces of topic " + Names.shown(topic));
        } catch (WireException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private boolean maySubscribe(String topic) {
        return login.isEmpty()
                || !topic.isEmpty()
                        && login.get()
                                .account()
                                .filter(known -> known.maySubscribe(topic))
                                .isPresent();
    }

    /** Returns whether messages for an address may come from there. */
    boolean maySend(String address) {
        return login.isEmpty()
                || login.get()
                        .account()
                        .map(known -> TopicRights.maySend(known, address))
                        .orElse(false);
    }

    /** Returns whether a queue may be kept there, so that what is sent to its address goes there. */
    boolean mayKeep(String queue) {
        if (login.isEmpty()) {
            return true;
        }
        try {
            String address = Addresses.addressOf(queue);
            boolean addressOnly = queue.equals(address);
            return address.startsWith(Addresses.BROKER_PREFIX)
                    || login.get()
                            .account()
                            .map(known -> TopicRights.mayKeep(known, address, queue, addressOnly))
                            .orElse(false);
        } catch (WireException e) {
            return false;
        }
    }

    /** Returns whether the other end may know of a queue: only if it may send there. */
    boolean mayKnow(String queue) {
        return login.isEmpty() || maySend(Addresses.addressOf(queue));
    }
}
