package io.longhaul.broker.artemis;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
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
    private static final SimpleString PIECE = SimpleString.of(FrameType.PIECE.wireName());
    private static final SimpleString MANIFEST = SimpleString.of(FrameType.MANIFEST.wireName());
    private static final int PROPERTIES_BYTES = 512;

    private FrameProperties() {}

    static boolean isPiece(Message message) {
        return PIECE.equals(message.getObjectProperty(TYPE));
    }

    static boolean isManifest(Message message) {
        return MANIFEST.equals(message.getObjectProperty(TYPE));
    }

    static Optional<String> transfer(Message message) {
        return message.getObjectProperty(TRANSFER) instanceof SimpleString id
                ? Optional.of(id.toString())
                : Optional.empty();
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
