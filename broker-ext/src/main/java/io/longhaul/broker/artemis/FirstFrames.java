package io.longhaul.broker.artemis;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.artemis.FrameGuard;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.buffers.impl.ChannelBufferWrapper;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.nullpm.NullStorageManager;
import org.apache.activemq.artemis.core.protocol.ServerPacketDecoder;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ClusterConnectMessage;

/**
 * What somebody may send before the server knows who it is: short frames, of the kinds that may come before a session,
 * that decode. Afterwards, frames that clients send, whose lengths fit.
 */
@SuppressWarnings("deprecation") // one kind of packet is deprecated, and clients still send it
final class FirstFrames {
    static final int MOST_FIRST_BYTES = 16 * 1024;

    /** Of the network, once the user is known. */
    static final int MOST_BYTES = 16 * 1024 * 1024;

    /** As long as Artemis's clients wait for an answer: logins are slow to check, and many may wait for theirs. */
    private static final Duration TIME_TO_LOGIN = Duration.ofSeconds(30);

    /** The decoder asserts that there is one; no frame before a session needs it. */
    private static final StorageManager NO_STORAGE = new NullStorageManager();

    private static final Set<Byte> BEFORE_SESSION = Set.of(
            PacketImpl.PING,
            PacketImpl.DISCONNECT,
            PacketImpl.CREATESESSION,
            PacketImpl.CREATESESSION_V2,
            PacketImpl.REATTACH_SESSION,
            PacketImpl.CHECK_FOR_FAILOVER,
            PacketImpl.SUBSCRIBE_TOPOLOGY,
            PacketImpl.SUBSCRIBE_TOPOLOGY_V2);

    /** Without distributed transactions, whose identities the decoder does not bound, and what brokers of a cluster say. */
    private static final Set<Byte> OF_CLIENTS = Set.of(
            PacketImpl.PING,
            PacketImpl.DISCONNECT,
            PacketImpl.PACKETS_CONFIRMED,
            PacketImpl.CREATESESSION,
            PacketImpl.CREATESESSION_V2,
            PacketImpl.REATTACH_SESSION,
            PacketImpl.CHECK_FOR_FAILOVER,
            PacketImpl.SUBSCRIBE_TOPOLOGY,
            PacketImpl.SUBSCRIBE_TOPOLOGY_V2,
            PacketImpl.CREATE_ADDRESS,
            PacketImpl.CREATE_QUEUE,
            PacketImpl.CREATE_QUEUE_V2,
            PacketImpl.CREATE_SHARED_QUEUE,
            PacketImpl.CREATE_SHARED_QUEUE_V2,
            PacketImpl.DELETE_QUEUE,
            PacketImpl.CREATE_PRODUCER,
            PacketImpl.REMOVE_PRODUCER,
            PacketImpl.SESS_QUEUEQUERY,
            PacketImpl.SESS_BINDINGQUERY,
            PacketImpl.SESS_ADD_METADATA,
            PacketImpl.SESS_ADD_METADATA2,
            PacketImpl.SESS_UNIQUE_ADD_METADATA,
            PacketImpl.SESS_START,
            PacketImpl.SESS_STOP,
            PacketImpl.SESS_CLOSE,
            PacketImpl.SESS_COMMIT,
            PacketImpl.SESS_ROLLBACK,
            PacketImpl.SESS_CREATECONSUMER,
            PacketImpl.SESS_CONSUMER_CLOSE,
            PacketImpl.SESS_FLOWTOKEN,
            PacketImpl.SESS_FORCE_CONSUMER_DELIVERY,
            PacketImpl.SESS_ACKNOWLEDGE,
            PacketImpl.SESS_INDIVIDUAL_ACKNOWLEDGE,
            PacketImpl.SESS_EXPIRED,
            PacketImpl.SESS_PRODUCER_REQUEST_CREDITS,
            PacketImpl.SESS_SEND,
            PacketImpl.SESS_SEND_LARGE,
            PacketImpl.SESS_SEND_CONTINUATION);

    private FirstFrames() {}

    /** Takes a whole frame, its length in front, and leaves it as it is. */
    static boolean isWellFormed(ByteBuf frame) {
        if (!BEFORE_SESSION.contains(type(frame))) {
            return false;
        }
        ActiveMQBuffer copy = new ChannelBufferWrapper(Unpooled.copiedBuffer(frame)); // on the heap: nobody releases it
        try {
            copy.readInt();
            new ServerPacketDecoder(NO_STORAGE).decode(copy, null);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /**
     * Takes a whole frame of a known user, its length in front; returns why the server must not decode it, empty when it
     * may. The decoder knows what servers send, too, and asks for as much memory as the lengths in it say.
     */
    static Optional<String> objection(ByteBuf frame) {
        byte type = type(frame);
        int body = frame.readerIndex() + PacketImpl.PACKET_HEADERS_SIZE;
        if (!OF_CLIENTS.contains(type)) {
            return Optional.of("a frame of type " + type + ", which no client sends");
        }
        boolean fits = switch (type) {
            case PacketImpl.SESS_SEND -> EncodedMessage.isSound(frame, body);
            case PacketImpl.SESS_SEND_LARGE -> EncodedMessage.areHeadersSound(frame, body);
            case PacketImpl.SESS_SEND_CONTINUATION -> EncodedMessage.isPartSound(frame, body);
            default -> true;
        };
        return fits ? Optional.empty() : Optional.of("a message whose lengths do not fit");
    }

    /** Throws for what no agent may send. */
    private static boolean mayCome(ByteBuf frame) {
        Optional<String> objection = type(frame) == PacketImpl.SESS_SEND_CONTINUATION
                ? Optional.of("a part of a large message, which no agent sends")
                : objection(frame);
        if (objection.isPresent()) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, objection.get());
        }
        return true;
    }

    private static byte type(ByteBuf frame) {
        return frame.getByte(frame.readerIndex() + Integer.BYTES);
    }

    /** Returns whether a frame is the other broker's of a pair, who says what only that one knows. */
    private static boolean isPartner(ByteBuf frame, Optional<PairSecret> secret) {
        ActiveMQBuffer copy = new ChannelBufferWrapper(Unpooled.copiedBuffer(frame));
        try {
            copy.readInt();
            return new ServerPacketDecoder(NO_STORAGE).decode(copy, null) instanceof ClusterConnectMessage known
                    && secret.isPresent()
                    && secret.get().matches(known.getClusterUser(), known.getClusterPassword());
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Returns the guard of one connection over parallel TCP; nobody is a partner but who knows the secret. */
    static FrameGuard guard(Optional<PairSecret> secret) {
        return new FrameGuard() {
            private volatile boolean trusted;
            private volatile boolean partner;

            @Override
            public int mostBytes() {
                return trusted ? MOST_BYTES : MOST_FIRST_BYTES;
            }

            @Override
            public boolean accepts(ByteBuf frame) {
                if (type(frame) == PacketImpl.CLUSTER_CONNECT) {
                    if (!isPartner(frame, secret)) {
                        throw new PtcpException(
                                PtcpException.Code.PROTOCOL,
                                "it is no backup of this broker: expected the same --name and --link-user, with the same"
                                        + " password");
                    }
                    partner = true;
                    trusted = true;
                    return true;
                }
                return trusted ? partner || mayCome(frame) : isWellFormed(frame);
            }

            /** A backup's, where answers are counted in the order in which one thread writes. */
            @Override
            public boolean isSerial() {
                return partner;
            }

            @Override
            public void trust() {
                trusted = true;
            }

            @Override
            public boolean isTrusted() {
                return trusted;
            }

            /** A backup has a connection, too, on which it only hears where the primary is. */
            @Override
            public Optional<Duration> loginLimit() {
                return secret.isPresent() ? Optional.empty() : Optional.of(TIME_TO_LOGIN);
            }
        };
    }
}
