package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what is written into packets, and keeps each until the other end has acknowledged it.
 *
 * <p>Large buffers are cut without a copy; small ones are gathered, so that a crowd of them is one packet. Packets of a
 * lost stream are given out again before new ones. Event loop only.
 */
final class Splitter {
    private static final int SMALL_BYTES = 4 * 1024;
    private static final int GATHERED_BYTES = 16 * 1024;

    private final int packetBytes;
    private final ResendRoom resendRoom;
    private final ByteBufAllocator allocator;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    private final ArrayDeque<Packet> unacknowledged = new ArrayDeque<>();
    private final TreeMap<Long, Packet> again = new TreeMap<>();
    private long queuedBytes;
    private long position;
    private long acknowledged;
    private long limit;
    private long givenBackBytes; // of all limits

    Splitter(int packetBytes, ResendRoom resendRoom, long firstLimit, ByteBufAllocator allocator) {
        this.packetBytes = packetBytes;
        this.resendRoom = resendRoom;
        this.limit = firstLimit;
        this.allocator = allocator;
    }

    /** Takes ownership of bytes that come after all that were given before. */
    void add(ByteBuf bytes) {
        if (bytes.isReadable()) {
            queuedBytes += bytes.readableBytes();
            queue.add(bytes);
        } else {
            bytes.release();
        }
    }

    /** Returns whether {@link #take} has something, the window permitting. */
    boolean hasNext() {
        return !again.isEmpty() || (queuedBytes > 0 && room() > 0);
    }

    /**
     * Returns the packet to send next; {@code null} when there is none or the window is full. It stays ours.
     *
     * @param mostBytes of it when it is new
     */
    @Nullable
    Packet take(int mostBytes) {
        Map.Entry<Long, Packet> lost = again.pollFirstEntry();
        if (lost != null) {
            return lost.getValue();
        }
        long room = room();
        if (queuedBytes == 0 || room <= 0) {
            return null;
        }
        Packet packet = new Packet(position, cut((int) Math.min(Math.min(packetBytes, mostBytes), room)));
        position = packet.end();
        queuedBytes -= packet.length();
        unacknowledged.add(packet);
        return packet;
    }

    private long room() {
        return Math.min(limit - position, resendRoom.left(position - acknowledged));
    }

    private ByteBuf cut(int most) {
        ByteBuf head = queue.element();
        if (head.readableBytes() <= SMALL_BYTES && queue.size() > 1) {
            return gather(Math.min(most, GATHERED_BYTES));
        }
        if (head.readableBytes() <= most) {
            return queue.remove();
        }
        return head.readRetainedSlice(most);
    }

    private ByteBuf gather(int most) {
        ByteBuf packet = allocator.directBuffer((int) Math.min(most, queuedBytes));
        while (packet.isWritable() && !queue.isEmpty()) {
            ByteBuf head = queue.element();
            packet.writeBytes(head, Math.min(head.readableBytes(), packet.writableBytes()));
            if (!head.isReadable()) {
                queue.remove().release();
            }
        }
        return packet;
    }

    /** Takes an acknowledgement; returns whether it brought something; throws {@link PtcpException} PROTOCOL. */
    boolean acknowledged(long next, long newLimit) {
        if (next > position) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL, "an acknowledgement up to " + next + ", sent is " + position);
        }
        long left = newLimit - givenBackBytes;
        boolean news = next > acknowledged || left > limit;
        acknowledged = Math.max(acknowledged, next);
        limit = Math.max(limit, left);
        Packet head = unacknowledged.peek();
        while (head != null && head.end() <= acknowledged) {
            again.remove(head.position());
            unacknowledged.remove();
            head.release();
            head = unacknowledged.peek();
        }
        resendRoom.shrunk(position - acknowledged);
        return news;
    }

    /** Will send no more than so much before a greater limit comes; returns false when that is not less, or not enough. */
    boolean giveBack(long keptBytes) {
        long surplus = limit - position - keptBytes;
        if (surplus <= 0 || queuedBytes > 0) {
            return false;
        }
        limit -= surplus;
        givenBackBytes += surplus;
        return true;
    }

    /** Returns how much was given back so far. */
    long givenBackBytes() {
        return givenBackBytes;
    }

    /** Gives out again what a stream carried; returns how many bytes. */
    long lost(int stream) {
        long bytes = 0;
        for (Packet packet : unacknowledged) {
            if (packet.stream() == stream && again.put(packet.position(), packet) == null) {
                bytes += packet.length();
            }
        }
        return bytes;
    }

    /** Returns whether a stream carries something that is not acknowledged. */
    boolean waitsFor(int stream) {
        return unacknowledged.stream().anyMatch(packet -> packet.stream() == stream);
    }

    /** Returns whether a stream carries something that was sent before a time and is not acknowledged. */
    boolean waitsFor(int stream, long beforeNs) {
        return unacknowledged.stream().anyMatch(packet -> packet.stream() == stream && packet.sentNs() - beforeNs < 0);
    }

    /** Returns the oldest packet that a stream carries; those that wait for one are nobody's fault. */
    @Nullable
    Packet oldest() {
        Iterator<Packet> waiting = again.values().iterator(); // in the same order
        for (Packet packet : unacknowledged) {
            if (!waiting.hasNext() || waiting.next() != packet) {
                return packet;
            }
        }
        return null;
    }

    /** Returns whether there is more to send, or under way, than a few small messages. */
    boolean isBusy() {
        return queuedBytes > 0 || !again.isEmpty() || position - acknowledged > GATHERED_BYTES;
    }

    /** Returns how many bytes wait for their first sending. */
    long queuedBytes() {
        return queuedBytes;
    }

    long position() {
        return position;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** Drops everything. */
    void release() {
        queue.forEach(ByteBuf::release);
        queue.clear();
        queuedBytes = 0;
        for (Iterator<Packet> i = unacknowledged.iterator(); i.hasNext(); i.remove()) {
            i.next().release();
        }
        again.clear();
        resendRoom.release();
    }
}
