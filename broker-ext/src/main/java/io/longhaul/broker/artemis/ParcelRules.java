package io.longhaul.broker.artemis;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Names;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.WireException;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/**
 * What goes to endpoints: parcels that are not durable, and that say truly who sent them, for an endpoint answers to that
 * name and believes what comes from it.
 */
final class ParcelRules implements ActiveMQServerPlugin {
    private static final SimpleString ENDPOINTS = SimpleString.of(Addresses.ENDPOINT_PREFIX);

    private final Logins logins;

    /** Takes the users; without any, everybody may send in everybody's name. */
    ParcelRules(Logins logins) {
        this.logins = logins;
    }

    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        SimpleString address = message.getAddressSimpleString();
        if (address == null || !address.startsWith(ENDPOINTS)) {
            return;
        }
        String user = session.getValidatedUser();
        Optional<Account> account = Optional.ofNullable(user).flatMap(logins::account);
        // the server asks only where the parcel is routed, and one for an endpoint elsewhere is relayed before
        if (account.filter(known -> TopicRights.maySend(known, address.toString()))
                .isEmpty()) {
            throw forbidden("user " + user + " may not send to endpoint " + inWords(address.toString())
                    + ": expected the right to publish " + TopicRights.ofEndpoint(address.toString()));
        }
        String sender = Addresses.ENDPOINT_PREFIX + FrameProperties.sender(message);
        if (account.filter(known -> TopicRights.mayKeep(known, sender, sender, false))
                .isEmpty()) {
            throw forbidden("user " + user + " may not send as endpoint " + inWords(sender)
                    + ": expected the right to subscribe " + TopicRights.ofEndpoint(sender));
        }
    }

    private static ActiveMQException forbidden(String detail) {
        return new ActiveMQException(
                ActiveMQExceptionType.SECURITY_EXCEPTION, Refusals.message(Refusals.FORBIDDEN, detail));
    }

    private static String inWords(String address) {
        return Names.shown(address.substring(Addresses.ENDPOINT_PREFIX.length()));
    }

    /** Throws {@link WireException} when a message is nothing for an endpoint. */
    static void check(Message message) {
        if (!FrameProperties.isParcel(message)) {
            throw new WireException("expected a parcel, found another frame");
        }
        if (message.isDurable()) {
            throw new WireException("expected a parcel that is not durable, found a durable one");
        }
        Names.endpoint(FrameProperties.sender(message));
    }

    /** Returns what tells a sender that its parcel would go nowhere. */
    static ActiveMQException nobodyKeeps(String address) {
        return new ActiveMQException(
                ActiveMQExceptionType.ADDRESS_DOES_NOT_EXIST,
                Refusals.message(
                        Refusals.NO_SUBSCRIPTION,
                        "endpoint " + inWords(address) + " is kept nowhere that can be reached"));
    }
}
