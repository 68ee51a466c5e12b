package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Markers;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A file or a listing that goes out: each connection asks for blocks as long as it can be written to. */
abstract class Emission extends Transfer {
    /** Blocks asked for ahead on one connection, so that disk and network overlap. */
    private static final int AHEAD = 3;

    private final TransferContext context;
    private final Source source;
    private final MarkerClock markers;
    private final Map<DataLink, Lane> lanes = new LinkedHashMap<>();
    private long bytes;
    private int asked;
    private boolean isAtEnd;
    private boolean hasEnded;

    Emission(TransferContext context, Source source, MarkerPeriods periods) {
        this.context = context;
        this.source = source;
        this.markers = new MarkerClock(periods, context.nanoTime());
    }

    /** What is going on at one connection. */
    private static final class Lane {
        private final Deque<CompletableFuture<Optional<Block>>> blocks = new ArrayDeque<>();
        private boolean filling;
        private long unsentBytes;
    }

    final TransferContext context() {
        return context;
    }

    @Override
    public final List<DataLink> links() {
        return List.copyOf(lanes.keySet());
    }

    final void add(DataLink link) {
        lanes.put(link, new Lane());
        link.attach(this);
    }

    final void drop(DataLink link) {
        lanes.remove(link);
        link.detach();
        link.close();
    }

    final void forget(DataLink link) {
        lanes.remove(link);
    }

    /** Sends on a connection what it takes. */
    final void fill(DataLink link) {
        Lane lane = lanes.get(link);
        if (lane == null || lane.filling) {
            return;
        }
        lane.filling = true;
        while (!isAtEnd
                && !hasEnded
                && lane.blocks.size() < AHEAD
                && link.channel().isWritable()) {
            CompletableFuture<Optional<Block>> block = source.next();
            lane.blocks.add(block);
            asked++;
            context.onLoop(block, (done, failure) -> {
                drain(link, lane);
                fill(link);
            });
        }
        lane.filling = false;
        endWhenSent();
    }

    /** Sends the blocks that are there, in the order in which they were asked for. */
    private void drain(DataLink link, Lane lane) {
        while (!lane.blocks.isEmpty() && lane.blocks.peek().isDone()) {
            CompletableFuture<Optional<Block>> next = lane.blocks.remove();
            asked--;
            if (next.isCompletedExceptionally()) {
                next.whenComplete((done, failure) -> abort(BackendReplies.of(failure)));
                continue;
            }
            Optional<Block> block = next.join();
            if (block.isEmpty()) {
                isAtEnd = true;
            } else if (hasEnded || !lanes.containsKey(link)) {
                block.get().bytes().release();
            } else {
                send(link, lane, block.get());
            }
        }
        endWhenSent();
    }

    private void send(DataLink link, Lane lane, Block block) {
        ByteBuf framed = framed(block);
        int length = framed.readableBytes();
        lane.unsentBytes += length;
        link.channel().writeAndFlush(framed).addListener((ChannelFutureListener) sent -> {
            lane.unsentBytes -= length;
            if (sent.isSuccess()) {
                bytes += payload(length);
            } else if (!hasEnded) {
                cut(Reply.of(426, "Data connection broken after " + bytes + " bytes."));
            }
        });
    }

    private void endWhenSent() {
        if (isAtEnd && asked == 0 && !hasEnded) {
            hasEnded = true;
            source.close();
            sendEnd();
        }
    }

    /** Returns the bytes of a block as the mode sends them; the block is used up. */
    abstract ByteBuf framed(Block block);

    /** Returns how many bytes of the file are in what was sent. */
    abstract long payload(int framedBytes);

    /** All blocks have been written: tells the other end. */
    abstract void sendEnd();

    /** The other end has been told. */
    final void complete() {
        if (markers.isOn()) {
            context.replies().accept(Markers.performance(context.clock().instant(), bytes));
        }
        outcome().complete(Reply.of(226, "Transfer Complete."));
    }

    final boolean hasEnded() {
        return hasEnded;
    }

    @Override
    public final void writable(DataLink link) {
        fill(link);
    }

    @Override
    public void ended(DataLink link) {
        // what is sent has an end of its own
    }

    @Override
    public void bytes(DataLink link, ByteBuf received) {
        // nobody has anything to say to a sender
        received.release();
    }

    @Override
    final void cut(Reply reply) {
        abort(reply);
    }

    @Override
    final void abort(Reply reply) {
        if (isOver()) {
            return;
        }
        hasEnded = true;
        source.close();
        links().forEach(this::drop);
        outcome().complete(reply);
    }

    /** Who still reads hears of no failure: the end of a connection would be that of the file. */
    @Override
    final CompletableFuture<Void> orphan(Reply reply) {
        links().forEach(DataLink::reset);
        abort(reply);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    final long bytes() {
        return bytes;
    }

    @Override
    final boolean waitsForClient() {
        return asked == 0 || lanes.values().stream().anyMatch(lane -> lane.unsentBytes > 0);
    }

    @Override
    final void tick() {
        if (markers.performanceIsDue() && !isOver()) {
            context.replies().accept(Markers.performance(context.clock().instant(), bytes));
        }
    }
}
