package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/**
 * What happens to a frame before the server takes it: bounds, disk floor, subscriptions, the order of manifests.
 *
 * <p>Runs on session threads for every frame; a piece costs a prefix comparison, a map look-up and two additions.
 */
final class Intake implements ActiveMQServerPlugin {
    private static final SimpleString TOPICS = SimpleString.of(Addresses.TOPIC_PREFIX);
    private static final SimpleString INBOXES = SimpleString.of(Addresses.INBOX_PREFIX);
    private static final SimpleString ENDPOINTS = SimpleString.of(Addresses.ENDPOINT_PREFIX);

    /** Properties, entry of a tree and the transport's own around the largest body. */
    static final int MAX_FRAME_BYTES = Limits.MAX_PIECE_SIZE + 64 * 1024;

    private final ActiveMQServer server;
    private final OrderClock order;
    private final DiskFloor floor;
    private final LongAdder frames = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder refused = new LongAdder();

    Intake(ActiveMQServer server, OrderClock order, DiskFloor floor) {
        this.server = server;
        this.order = order;
        this.floor = floor;
    }

    DiskFloor floor() {
        return floor;
    }

    /** This broker may take the place of another one: what is published from now on wins over what that one took. */
    void succeed() {
        order.succeed(new OrderNote(server).read());
    }

    long frames() {
        return frames.sum();
    }

    long bytes() {
        return bytes.sum();
    }

    long refused() {
        return refused.sum();
    }

    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        SimpleString address = message.getAddressSimpleString();
        if (address == null) {
            return;
        }
        checkSize(message, address);
        checkProperties(message, address);
        checkParcel(message, address);
        checkAsker(message, address);
        boolean topic = address.startsWith(TOPICS);
        if (topic || address.startsWith(INBOXES)) {
            checkSpace(message, topic);
        }
        if (topic) {
            checkSubscribed(address);
            if (FrameProperties.isManifest(message)) {
                FrameProperties.setOrder(message, order.next());
            }
        }
    }

    /** The queue may have gone between the check and the routing; then the frame is nowhere, and is refused. */
    @Override
    public void afterSend(
            ServerSession session,
            Transaction tx,
            Message message,
            boolean direct,
            boolean noAutoCreateQueue,
            RoutingStatus result)
            throws ActiveMQException {
        SimpleString address = message.getAddressSimpleString();
        if (result == RoutingStatus.NO_BINDINGS && address.startsWith(TOPICS)) {
            unrouted(message);
            throw noSubscription(address);
        }
        taken(message, result);
    }

    /** Counts a message that was routed; one that was here before was not taken again. */
    void taken(Message message, RoutingStatus result) {
        if (result != RoutingStatus.DUPLICATED_ID) {
            frames.increment();
            bytes.add(message.getEncodeSize());
        }
    }

    /** Returns why a message that comes over a link cannot come in now; empty when it can. */
    Optional<String> shortage(Message message) {
        if (message.getAddressSimpleString().startsWith(ENDPOINTS)) {
            return Optional.empty(); // parcels are never on disk
        }
        return isWord(message) ? Optional.empty() : floor.admit(message.getEncodeSize());
    }

    /** Returns whether a message is taken also at the disk's floor: a short one that says something about others. */
    static boolean isWord(Message message) {
        return message.getEncodeSize() < DiskFloor.SMALL_BYTES
                && !message.getAddressSimpleString().startsWith(TOPICS);
    }

    /** Takes note of the order of a message that comes over a link. */
    void observe(Message message) {
        observe(FrameProperties.order(message));
    }

    /** Takes note of an order that another broker gave or saw; 0 for none. */
    void observe(long stamped) {
        if (stamped > 0) {
            order.observe(stamped);
        }
    }

    /** Returns the greatest order of a manifest that was given or seen here; 0 for none since the launch. */
    long order() {
        return order.greatest();
    }

    /** Nobody got it: if it comes again, it is no duplicate. */
    void unrouted(Message message) throws ActiveMQException {
        byte[] duplicateId = message.getDuplicateIDBytes();
        if (duplicateId != null) {
            forget(message.getAddressSimpleString(), duplicateId);
        }
    }

    /** Otherwise the frame, sent again once there is a subscription, would pass for a duplicate. */
    private void forget(SimpleString address, byte[] duplicateId) throws ActiveMQException {
        try {
            server.getPostOffice().getDuplicateIDCache(address).deleteFromCache(duplicateId);
        } catch (Exception e) {
            throw new ActiveMQException(ActiveMQExceptionType.INTERNAL_ERROR, "cannot forget a duplicate id", e);
        }
    }

    private void checkSize(Message message, SimpleString address) throws ActiveMQException {
        if (message instanceof LargeServerMessage large) {
            try {
                large.deleteFile();
            } catch (Exception e) {
                throw new ActiveMQException(ActiveMQExceptionType.INTERNAL_ERROR, "cannot delete a large message", e);
            }
            throw badFrame(address, "expected an ordinary message, found a large one");
        }
        if (message.getEncodeSize() > MAX_FRAME_BYTES) {
            throw badFrame(address, "expected at most " + MAX_FRAME_BYTES + " bytes, found " + message.getEncodeSize());
        }
    }

    private void checkProperties(Message message, SimpleString address) throws ActiveMQException {
        if (FrameProperties.isForged(message)) {
            throw badFrame(address, "expected no property that only brokers set");
        }
    }

    /** A promise keeps a transfer at its holder, so that only brokers may ask for one, for a backlog that they have. */
    private void checkAsker(Message message, SimpleString address) throws ActiveMQException {
        if (FrameProperties.isLeaseRequest(message)) {
            throw badFrame(address, "expected no request for promises, which only brokers make");
        }
    }

    private void checkParcel(Message message, SimpleString address) throws ActiveMQException {
        if (!address.startsWith(ENDPOINTS)) {
            return;
        }
        try {
            ParcelRules.check(message);
        } catch (WireException e) {
            throw badFrame(address, String.valueOf(e.getMessage()));
        }
    }

    /** At the floor nothing new comes in, but what is in may leave: only bodies are refused, not words about them. */
    private void checkSpace(Message message, boolean topic) throws ActiveMQException {
        if (!topic && message.getEncodeSize() < DiskFloor.SMALL_BYTES) {
            return;
        }
        Optional<String> shortage = floor.admit(message.getEncodeSize());
        if (shortage.isPresent()) {
            refused.increment();
            throw refusal(ActiveMQExceptionType.ADDRESS_FULL, Refusals.NO_SPACE, shortage.get());
        }
    }

    private void checkSubscribed(SimpleString address) throws ActiveMQException {
        if (!LocalQueues.areAt(server.getPostOffice(), address)) {
            throw noSubscription(address);
        }
    }

    private ActiveMQException noSubscription(SimpleString address) {
        refused.increment();
        return refusal(
                ActiveMQExceptionType.ADDRESS_DOES_NOT_EXIST,
                Refusals.NO_SUBSCRIPTION,
                "topic " + address.toString().substring(Addresses.TOPIC_PREFIX.length()) + " has no subscription");
    }

    private ActiveMQException badFrame(SimpleString address, String detail) {
        refused.increment();
        return refusal(
                ActiveMQExceptionType.LARGE_MESSAGE_ERROR_BODY,
                Refusals.BAD_FRAME,
                "frame for " + address + ": " + detail);
    }

    private static ActiveMQException refusal(ActiveMQExceptionType type, String word, String detail) {
        return new ActiveMQException(type, Refusals.message(word, detail));
    }
}
