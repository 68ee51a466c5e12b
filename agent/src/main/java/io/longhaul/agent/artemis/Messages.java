package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Delivery;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;

/** Frames as Artemis core messages, and back. */
final class Messages {
    /** What Artemis puts before a body: its length. */
    private static final int HEAD_BYTES = CoreMessage.BODY_OFFSET;

    /** Room for what Artemis puts behind a body; it makes more when that is too little. */
    private static final int TAIL_BYTES = 1024;

    private Messages() {}

    /**
     * Returns a message, durable unless it is a parcel. It has the frame's own bytes as its body, not a copy: they must not
     * change until it is sent.
     */
    static ClientMessage encode(Frame frame, String deduplication, int priority) {
        Envelope envelope = FrameCodec.encode(frame);
        boolean durable = frame.type() != FrameType.PARCEL;
        ClientMessageImpl message = new ClientMessageImpl();
        message.setType(Message.BYTES_TYPE).setDurable(durable).setPriority((byte) priority);
        envelope.properties().forEach((name, value) -> message.putObjectProperty(SimpleString.of(name), value));
        if (!deduplication.isEmpty()) {
            message.putStringProperty(Message.HDR_DUPLICATE_DETECTION_ID, SimpleString.of(deduplication));
        }
        message.setBuffer(around(envelope.body()));
        message.getBodyBuffer(); // tells the message where its body ends
        return message;
    }

    private static ByteBuf around(ByteBuffer body) {
        return Unpooled.wrappedBuffer(ByteBuffer.allocate(HEAD_BYTES), body, ByteBuffer.allocate(TAIL_BYTES))
                .setIndex(HEAD_BYTES, HEAD_BYTES + body.remaining());
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
