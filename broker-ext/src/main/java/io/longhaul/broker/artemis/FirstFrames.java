package io.longhaul.broker.artemis;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.artemis.FrameGuard;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
 * that decode. Afterwards, over parallel TCP, frames of agents whose lengths fit; over plain core only a frame's length is
 * bounded.
 */
@SuppressWarnings("deprecation") // one kind of packet is deprecated, and clients still send it
final class FirstFrames {
    static final int MOST_FIRST_BYTES = 16 * 1024;

    /** Of the network, once the user is known. */
    static final int MOST_BYTES = 16 * 1024 * 1024;

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

    private FirstFrames() {}

    /** Takes a whole frame, its length in front, and leaves it as it is. */
    static boolean isWellFormed(ByteBuf frame) {
        if (!BEFORE_SESSION.contains(frame.getByte(frame.readerIndex() + Integer.BYTES))) {
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

    /** Throws for what the server would try to decode, though no agent sends it, and for messages whose lengths do not fit. */
    private static boolean mayCome(ByteBuf frame) {
        int type = frame.getByte(frame.readerIndex() + Integer.BYTES);
        int body = frame.readerIndex() + PacketImpl.PACKET_HEADERS_SIZE;
        if (type == PacketImpl.SESS_SEND && !EncodedMessage.isSound(frame, body)
                || type == PacketImpl.SESS_SEND_LARGE && !EncodedMessage.areHeadersSound(frame, body)) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, "a message whose lengths do not fit");
        }
        if (isNoAgents(type)) {
            throw new PtcpException(PtcpException.Code.PROTOCOL, "a frame of type " + type + ", which no agent sends");
        }
        return true;
    }

    /** Distributed transactions, parts of large messages, and what brokers of a cluster say to each other. */
    private static boolean isNoAgents(int type) {
        return type >= PacketImpl.SESS_XA_START && type <= PacketImpl.SESS_XA_GET_TIMEOUT_RESP
                || type == PacketImpl.SESS_XA_FAILED
                || type == PacketImpl.SESS_SEND_CONTINUATION
                || type >= PacketImpl.REPLICATION_RESPONSE && type <= PacketImpl.REPLICATION_SYNC_FILE
                || type >= PacketImpl.BACKUP_REGISTRATION && type <= PacketImpl.REPLICATION_SCHEDULED_FAILOVER
                || type == PacketImpl.NODE_ANNOUNCE
                || type == PacketImpl.BACKUP_REQUEST
                || type <= PacketImpl.BACKUP_REQUEST_RESPONSE && type >= PacketImpl.QUORUM_VOTE_REPLY
                || type == PacketImpl.SCALEDOWN_ANNOUNCEMENT
                || type == PacketImpl.REPLICATION_RESPONSE_V2
                || type == PacketImpl.FEDERATION_DOWNSTREAM_CONNECT;
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

    /** Returns whether a packet of this type opens the conversation of a pair, which takes more than a user's rights. */
    static boolean isOfCluster(byte type) {
        return type == PacketImpl.CLUSTER_CONNECT;
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
                if (isOfCluster(frame.getByte(frame.readerIndex() + Integer.BYTES))) {
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
        };
    }
}
