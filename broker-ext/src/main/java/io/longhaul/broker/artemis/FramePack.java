package io.longhaul.broker.artemis;

import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.TransferId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.message.impl.CoreMessagePersister;

/**
 * Many manifests and seals in one message: each by itself takes more room for its properties than for what it says, and what
 * it says it has in common with its neighbours.
 *
 * <pre>
 * property lh_packed   the identities of the transfers that it has something of, 16 bytes each
 * body                 gzip of: (length 4, message as the server stores it) each
 * </pre>
 *
 * The identities are beside the body so that of a damaged one it is known whose frames are lost. Pure.
 */
final class FramePack {
    /** Most bytes that one has before they are compressed; more would hardly become smaller, and all are in memory at once. */
    static final int MOST_BYTES = 256 * 1024;

    private static final SimpleString PACKED = SimpleString.of("lh_packed");
    private static final int IDENTITY_BYTES = 16;
    private static final CoreMessagePersister STORED = CoreMessagePersister.getInstance();

    private FramePack() {}

    /** Whether a message is one. */
    static boolean isPack(Message message) {
        return message.containsProperty(PACKED);
    }

    /** Returns how many bytes a message would add. */
    static int bytes(Message message) {
        return Integer.BYTES + STORED.getEncodeSize(message.toCore());
    }

    /** Puts messages into one. */
    static Message pack(long id, SimpleString address, List<Message> frames) throws IOException {
        Set<TransferId> transfers = new LinkedHashSet<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            for (Message frame : frames) {
                ActiveMQBuffer encoded = ActiveMQBuffers.dynamicBuffer(bytes(frame));
                STORED.encode(encoded, frame.toCore());
                byte[] one = new byte[encoded.readableBytes()];
                encoded.readBytes(one);
                out.writeInt(one.length);
                out.write(one);
                FrameProperties.transfer(frame)
                        .filter(TransferId::isValid)
                        .ifPresent(transfer -> transfers.add(TransferId.parse(transfer)));
            }
        }
        ByteBuffer identities = ByteBuffer.allocate(IDENTITY_BYTES * transfers.size());
        transfers.forEach(transfer -> identities.putLong(transfer.high()).putLong(transfer.low()));
        CoreMessage pack = new CoreMessage(id, bytes.size() + identities.capacity() + 256);
        pack.setAddress(address);
        pack.setDurable(true);
        pack.putBytesProperty(PACKED, identities.array());
        pack.getBodyBuffer().writeBytes(bytes.toByteArray());
        return pack;
    }

    /** Returns the messages of one; throws when it is damaged. */
    static List<Message> unpack(Message pack) throws IOException {
        ActiveMQBuffer body = pack.toCore().getReadOnlyBodyBuffer();
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        List<Message> frames = new ArrayList<>();
        // to its end first, where its checksum is: the server believes the lengths in a message
        byte[] all = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(all))) {
            while (in.available() > 0) {
                ActiveMQBuffer one = ActiveMQBuffers.wrappedBuffer(in.readNBytes(in.readInt()));
                one.readByte(); // which protocol: there is one
                frames.add(STORED.decode(one, null, null));
            }
        }
        return frames;
    }

    /**
     * Returns a message for each transfer of a damaged one, which says no more than whose frame is lost: the subscriber asks
     * for what it lacks.
     */
    static List<Message> lost(Message pack) {
        List<Message> all = new ArrayList<>();
        ByteBuffer identities =
                ByteBuffer.wrap(pack.getObjectProperty(PACKED) instanceof byte[] bytes ? bytes : new byte[0]);
        while (identities.remaining() >= IDENTITY_BYTES) {
            TransferId transfer = new TransferId(identities.getLong(), identities.getLong());
            CoreMessage damaged = new CoreMessage(0, 256);
            damaged.setDurable(true);
            damaged.putIntProperty(SimpleString.of(FrameCodec.VERSION), 1);
            damaged.putStringProperty(SimpleString.of(FrameCodec.TYPE), SimpleString.of(FrameType.SEAL.wireName()));
            damaged.putStringProperty(SimpleString.of(FrameCodec.TRANSFER), SimpleString.of(transfer.toString()));
            all.add(damaged);
        }
        return all;
    }
}
