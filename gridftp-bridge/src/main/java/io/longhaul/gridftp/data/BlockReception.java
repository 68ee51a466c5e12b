package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.BlockHeader;
import io.longhaul.gridftp.protocol.BlockReader;
import io.longhaul.gridftp.protocol.EodCount;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * MODE E: blocks over any number of connections, complete when as many have ended as the sender says there are.
 *
 * <p>A connection that brings something else before the first of its blocks, or ends before it, is a stranger's and
 * dropped without harm.
 */
final class BlockReception extends Reception {
    private static final long MOST_BLOCK_BYTES = 1L << 40;
    private static final int MOST_CONNECTIONS = 65_536;

    private final EodCount count = new EodCount();
    private final Map<DataLink, Part> parts = new HashMap<>();
    private final Set<DataLink> done = new HashSet<>();

    BlockReception(TransferContext context, Arrival arrival, MarkerPeriods periods) {
        super(context, arrival, periods);
    }

    /** What comes over one connection. */
    private final class Part implements BlockReader.Target {
        private final DataLink link;
        private final BlockReader reader = new BlockReader(MOST_BLOCK_BYTES, MOST_CONNECTIONS);
        private boolean began;

        Part(DataLink link) {
            this.link = link;
        }

        @Override
        public void header(BlockHeader header) {
            began |= !header.isEmpty();
            count.header(header);
        }

        @Override
        public void payload(long position, ByteBuf bytes) {
            store(position, bytes);
        }

        @Override
        public void endOfData(BlockHeader header) {
            count.endOfData();
            done.add(link);
            if (header.isClose()) {
                drop(link);
            }
        }
    }

    @Override
    boolean wantsLinks() {
        return !isEnding() && links().size() < context().limits().dataConnections();
    }

    @Override
    boolean knowsItsEnd() {
        return true;
    }

    @Override
    public void bytes(DataLink link, ByteBuf bytes) {
        if (isRefused()) {
            bytes.release();
            return;
        }
        if (isEnding() || done.contains(link)) {
            hold(link, bytes);
            return;
        }
        Part part = parts.computeIfAbsent(link, Part::new);
        try {
            part.reader.read(bytes, part);
        } catch (ProtocolException e) {
            bytes.release();
            if (part.began || !e.isForeign()) {
                cut(Reply.of(426, e.getMessage() + "."));
            } else {
                drop(link);
            }
            return;
        }
        if (bytes.isReadable() && done.contains(link)) {
            hold(link, bytes);
        } else {
            bytes.release();
        }
        finishWhenComplete();
    }

    private void finishWhenComplete() {
        if (count.isComplete()) {
            finish();
        }
    }

    @Override
    public void gone(DataLink link) {
        if (!link.hasHeld()) {
            forget(link);
        }
        Part part = parts.remove(link);
        if (part != null && part.began && !done.contains(link)) {
            String where = part.reader.isBetweenBlocks() ? "without an EOD" : "within a block";
            cut(Reply.of(426, "Data connection broken: ended " + where + ", after " + bytes() + " bytes."));
        }
    }

    /** Returns what it still waits for, for messages. */
    String missing() {
        return count.toString();
    }
}
