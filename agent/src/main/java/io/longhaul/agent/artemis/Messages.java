package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Delivery;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.WireException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;

/** Frames as Artemis core messages, and back. */
final class Messages {
    private static final int PROPERTIES_BYTES = 1024;

    private Messages() {}

    /** Returns a message, durable unless it is a parcel; the body is copied once, into a buffer of the right size. */
    static ClientMessage encode(Frame frame, String deduplication, int priority) {
        Envelope envelope = FrameCodec.encode(frame);
        int length = envelope.body().remaining();
        boolean durable = frame.type() != FrameType.PARCEL;
        ClientMessage message =
                new ClientMessageImpl(Message.BYTES_TYPE, durable, 0, 0, (byte) priority, length + PROPERTIES_BYTES);
        envelope.properties().forEach((name, value) -> message.putObjectProperty(SimpleString.of(name), value));
        if (!deduplication.isEmpty()) {
            message.putStringProperty(Message.HDR_DUPLICATE_DETECTION_ID, SimpleString.of(deduplication));
        }
        message.getBodyBuffer().writeBytes(envelope.body().duplicate());
        return message;
    }

    /** Returns the frame, or the news that it is damaged; never throws for what a message holds. */
    static Delivery decode(ClientMessage message, Object token) {
        Map<String, Object> properties = new HashMap<>();
        try {
            for (SimpleString name : message.getPropertyNames()) {
                Object value = message.getObjectProperty(name);
                properties.put(name.toString(), value instanceof SimpleString text ? text.toString() : value);
            }
            Frame frame = FrameCodec.decode(new Envelope(properties, body(message)));
            return new Delivery(Optional.of(frame), "", hint(properties), OrderStamp.read(properties), token);
        } catch (WireException e) {
            return damaged(String.valueOf(e.getMessage()), properties, token);
        } catch (RuntimeException e) {
            // a message damaged on the broker's disk can make the client's own decoder fail in many ways
            return damaged("message cannot be decoded: " + e, properties, token);
        }
    }

    private static Delivery damaged(String fault, Map<String, Object> properties, Object token) {
        return new Delivery(Optional.empty(), fault, hint(properties), orderOfDamaged(properties), token);
    }

    /** The buffer that may be written, although nobody does: digests take an array at once, but others in small copies. */
    private static ByteBuffer body(ClientMessage message) {
        ActiveMQBuffer body = message.isLargeMessage() ? message.getDataBuffer() : message.getBodyBuffer();
        return body.byteBuf().nioBuffer();
    }

    private static long orderOfDamaged(Map<String, Object> properties) {
        try {
            return OrderStamp.read(properties);
        } catch (WireException e) {
            return 0; // not known, which a holder may put right
        }
    }

    private static Optional<String> hint(Map<String, Object> properties) {
        return properties.get(FrameCodec.TRANSFER) instanceof String id ? Optional.of(id) : Optional.empty();
    }
}
