package io.longhaul.broker.artemis;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.WireException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;

/** Frames in the server's messages. Reads properties without decoding the frame where that suffices. */
final class FrameProperties {
    private static final SimpleString TYPE = SimpleString.of(FrameCodec.TYPE);
    private static final SimpleString TRANSFER = SimpleString.of(FrameCodec.TRANSFER);
    private static final SimpleString INDEX = SimpleString.of(FrameCodec.INDEX);
    private static final SimpleString ORDER = SimpleString.of(OrderStamp.ORDER);
    private static final SimpleString ORDER_CRC = SimpleString.of(OrderStamp.CRC);
    private static final SimpleString PIECE = SimpleString.of(FrameType.PIECE.wireName());
    private static final SimpleString PARCEL = SimpleString.of(FrameType.PARCEL.wireName());
    private static final SimpleString SENDER = SimpleString.of(FrameCodec.SENDER);
    private static final SimpleString MANIFEST = SimpleString.of(FrameType.MANIFEST.wireName());
    private static final SimpleString SEAL = SimpleString.of(FrameType.SEAL.wireName());
    private static final SimpleString CANCEL = SimpleString.of(FrameType.CANCEL.wireName());
    private static final SimpleString TOPIC_QUERY = SimpleString.of(FrameType.TOPIC_QUERY.wireName());
    private static final SimpleString NETWORK_QUERY = SimpleString.of(FrameType.NETWORK_QUERY.wireName());
    private static final SimpleString REMOVAL_REQUEST = SimpleString.of(FrameType.REMOVAL_REQUEST.wireName());
    private static final SimpleString RETAINED_ANSWER = SimpleString.of(FrameType.RETAINED_ANSWER.wireName());
    private static final SimpleString REPAIR_REQUEST = SimpleString.of(FrameType.REPAIR_REQUEST.wireName());
    private static final SimpleString LEASE_REQUEST = SimpleString.of(FrameType.LEASE_REQUEST.wireName());
    private static final int PROPERTIES_BYTES = 512;

    /** Property: {@code String}, the neighbour that a message came from; none for one that entered the network here. */
    static final String FROM = "lh_from";

    private static final SimpleString FROM_KEY = SimpleString.of(FROM);

    /** Property: {@code String}, what of {@link Drains} was known when a message entered the network; none for nothing. */
    static final String AFTER = "lh_after";

    private static final SimpleString AFTER_KEY = SimpleString.of(AFTER);

    /** Property: {@code String}, the brokers that a message has passed, each followed by a slash. */
    private static final SimpleString VIA = SimpleString.of(FrameCodec.VIA);

    /** Property: {@code String}, the address that a message in a relay queue is meant for. */
    private static final SimpleString TO = SimpleString.of("lh_to");

    private FrameProperties() {}

    static boolean isPiece(Message message) {
        return PIECE.equals(message.getObjectProperty(TYPE));
    }

    static boolean isManifest(Message message) {
        return MANIFEST.equals(message.getObjectProperty(TYPE));
    }

    static boolean isParcel(Message message) {
        return PARCEL.equals(message.getObjectProperty(TYPE));
    }

    /** Returns the name of the endpoint that a parcel says it is from; empty for none. */
    static String sender(Message message) {
        return message.getObjectProperty(SENDER) instanceof SimpleString sender ? sender.toString() : "";
    }

    /** Returns whether a message is the last one of a transfer that came to its end. */
    static boolean isSeal(Message message) {
        return SEAL.equals(message.getObjectProperty(TYPE));
    }

    /** Returns whether a message gives a transfer up. */
    static boolean isCancel(Message message) {
        return CANCEL.equals(message.getObjectProperty(TYPE));
    }

    /** Returns whether a message asks its broker something. */
    static boolean isQuery(Message message) {
        Object type = message.getObjectProperty(TYPE);
        return TOPIC_QUERY.equals(type) || NETWORK_QUERY.equals(type) || REMOVAL_REQUEST.equals(type);
    }

    /** Returns whether a message asks holders for promises. */
    static boolean isLeaseRequest(Message message) {
        return LEASE_REQUEST.equals(message.getObjectProperty(TYPE));
    }

    /** Returns the topic that a message tells the retained transfers of; empty for every other message. */
    static Optional<String> retainedTopic(Message message) {
        return RETAINED_ANSWER.equals(message.getObjectProperty(TYPE))
                        && decode(message) instanceof RetainedAnswer answer
                ? Optional.of(answer.topic())
                : Optional.empty();
    }

    /** Returns the topic that a message asks for pieces of, empty where it names none; empty for every other message. */
    static Optional<String> repairTopic(Message message) {
        return REPAIR_REQUEST.equals(message.getObjectProperty(TYPE))
                        && decode(message) instanceof RepairRequest request
                ? Optional.of(request.topic())
                : Optional.empty();
    }

    /** Returns whether somebody has set a property that only brokers set. */
    static boolean isForged(Message message) {
        return message.containsProperty(FROM_KEY)
                || message.containsProperty(VIA)
                || message.containsProperty(AFTER_KEY)
                || message.containsProperty(TO);
    }

    static String via(Message message) {
        return message.getObjectProperty(VIA) instanceof SimpleString via ? via.toString() : "";
    }

    /** Returns whether a way, names that are each followed by a slash, leads over a broker. */
    static boolean leadsOver(String via, String broker) {
        return via.startsWith(broker + '/') || via.contains('/' + broker + '/');
    }

    /** Says where a message came from and which way. */
    static void arrived(Message message, String from, String via) {
        message.putStringProperty(FROM_KEY, SimpleString.of(from));
        message.putStringProperty(VIA, SimpleString.of(via));
    }

    /** Says what was known of {@link Drains} when a message entered the network. */
    static void entered(Message message, String after) {
        message.putStringProperty(AFTER_KEY, SimpleString.of(after));
        message.reencode();
    }

    /** Takes out of a message what it says of {@link Drains} if that is not sound; returns whether it was not. */
    static boolean forgetUnsoundDrains(Message message) {
        Object after = message.getObjectProperty(AFTER_KEY);
        boolean unsound = after != null && !(after instanceof SimpleString text && Drains.isSound(text.toString()));
        if (unsound) {
            message.removeProperty(AFTER_KEY);
        }
        return unsound;
    }

    /** Sends a message to an address by the way of a relay queue. */
    static void relay(Message message, String relay, String address) {
        message.putStringProperty(TO, SimpleString.of(address));
        message.setAddress(SimpleString.of(relay));
        message.reencode();
    }

    /** Returns the address that a message is meant for, also while it is relayed. */
    static String destination(Message message) {
        return message.getObjectProperty(TO) instanceof SimpleString to
                ? to.toString()
                : String.valueOf(message.getAddress());
    }

    /** A relayed message has come where it is meant for, or nearer. */
    static void unrelay(Message message) {
        if (message.getObjectProperty(TO) instanceof SimpleString to) {
            message.removeProperty(TO);
            message.setAddress(to);
        }
    }

    static Optional<String> transfer(Message message) {
        return message.getObjectProperty(TRANSFER) instanceof SimpleString id
                ? Optional.of(id.toString())
                : Optional.empty();
    }

    /** Returns the order of a manifest; 0 for none, and for a damaged one. */
    static long order(Message message) {
        try {
            return OrderStamp.read(message.getObjectProperty(ORDER), message.getObjectProperty(ORDER_CRC));
        } catch (WireException e) {
            return 0;
        }
    }

    static void setOrder(Message message, long order) {
        message.putLongProperty(ORDER, order);
        message.putIntProperty(ORDER_CRC, OrderStamp.crc(order));
        message.reencode();
    }

    /** Returns the index of a piece; the greatest of all when it says none, so that no promise covers it. */
    static long index(Message message) {
        return message.getObjectProperty(INDEX) instanceof Long index && index >= 0 ? index : Long.MAX_VALUE;
    }

    /** Returns a message that is not kept through a restart. */
    static Message passing(long id, String address, Frame frame) {
        Envelope envelope = FrameCodec.encode(frame);
        CoreMessage message = new CoreMessage(id, envelope.body().remaining() + PROPERTIES_BYTES);
        message.setAddress(address);
        message.setDurable(false);
        envelope.properties().forEach((name, value) -> message.putObjectProperty(SimpleString.of(name), value));
        message.getBodyBuffer().writeBytes(envelope.body().duplicate());
        return message;
    }

    /** Decodes a whole frame; throws {@link io.longhaul.wire.WireException} when it breaks a rule. */
    static Frame decode(Message message) {
        Map<String, Object> properties = new HashMap<>();
        for (SimpleString name : message.getPropertyNames()) {
            Object value = message.getObjectProperty(name);
            properties.put(name.toString(), value instanceof SimpleString text ? text.toString() : value);
        }
        ActiveMQBuffer body = message.toCore().getReadOnlyBodyBuffer();
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        return FrameCodec.decode(new Envelope(properties, ByteBuffer.wrap(bytes)));
    }
}
