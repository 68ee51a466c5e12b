package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Markers;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A file that comes in: bounds what is on its way to the disk, knows which bytes are there, and commits only a whole. */
abstract class Reception extends Transfer {
    /** How long what comes behind a refusal is dropped. */
    private static final int DROP_SECONDS = 10;

    private static final int ACCEPT_MILLIS = 150;
    private static final long MOST_WAITING_BYTES = 16L * 1024 * 1024;
    private static final long FEW_WAITING_BYTES = 4L * 1024 * 1024;

    /** What an upload may have when all together have too much. */
    private static final long LEAST_WAITING_BYTES = 1024 * 1024;

    /** A client that sends single bytes here and there must not fill the memory with their ranges. */
    private static final int MOST_RANGES = 65_536;

    private final TransferContext context;
    private final Arrival arrival;
    private final MarkerClock markers;
    private final Advance advance;
    private final ByteRanges ranges;
    private ByteRanges unmarked = new ByteRanges();
    private final Set<DataLink> links = new LinkedHashSet<>();
    private final CompletableFuture<Void> ending = new CompletableFuture<>(); // done when no more is taken
    private long bytes;
    private long takenBytes;
    private long waitingBytes;
    private boolean paused;
    private boolean marksWhenTaken;
    private boolean committing;
    private boolean isRefused;
    private boolean markedRanges;
    private Optional<Reply> orphaned = Optional.empty();

    Reception(TransferContext context, Arrival arrival, MarkerPeriods periods) {
        this.context = context;
        this.arrival = arrival;
        this.ranges = ByteRanges.of(arrival.present());
        // what was there before the restart has been promised
        this.markedRanges = !arrival.present().isEmpty();
        this.markers = new MarkerClock(periods, context.nanoTime());
        this.advance = new Advance(context.limits().stall(), context.nanoTime());
    }

    final TransferContext context() {
        return context;
    }

    final Arrival arrival() {
        return arrival;
    }

    final boolean isEnding() {
        return ending.isDone();
    }

    /** Returns whether nothing that comes is of use any more, to the next transfer neither. */
    final boolean isRefused() {
        return isRefused;
    }

    @Override
    public final List<DataLink> links() {
        return List.copyOf(links);
    }

    @Override
    void take(DataLink link) {
        links.add(link);
        link.attach(this);
        if (paused) {
            link.channel().config().setAutoRead(false);
        }
    }

    final void drop(DataLink link) {
        forget(link);
        link.detach();
        link.close();
    }

    final void forget(DataLink link) {
        links.remove(link);
        cutWhenDeserted();
    }

    /** Keeps what belongs to the next transfer, which a client that is gone does not begin. */
    final void hold(DataLink link, ByteBuf data) {
        link.hold(data);
        if (isOrphaned()) {
            drop(link);
        }
    }

    @Override
    public void ready(DataLink link) {
        // whoever sends begins
    }

    @Override
    public void writable(DataLink link) {
        // nothing is sent
    }

    @Override
    public void ended(DataLink link) {
        link.channel().close();
    }

    /** Takes bytes for a position as the client counts. */
    final void store(long position, ByteBuf data) {
        int length = data.readableBytes();
        if (isEnding() || length == 0) {
            data.release();
            return;
        }
        if (position > Long.MAX_VALUE - arrival.offset() - length) {
            data.release();
            refuse(Reply.of(501, "Offset " + position + " is beyond what a file can have."));
            return;
        }
        ranges.add(position, position + length);
        unmarked.add(position, position + length);
        bytes += length;
        if (ranges.count() > MOST_RANGES) {
            data.release();
            refuse(Reply.of(451, "Too many separate ranges: expected at most " + MOST_RANGES + "."));
            return;
        }
        waitingBytes += length;
        context.arriving().add(length);
        context.onLoop(arrival.sink().write(position + arrival.offset(), data), (done, failure) -> {
            waitingBytes -= length;
            context.arriving().add(-length);
            if (failure != null) {
                refuse(BackendReplies.of(failure));
                return;
            }
            takenBytes += length;
            if (isEnding()) {
                return;
            }
            if (marksWhenTaken ? waitingBytes == 0 : paused && waitingBytes < allowed(FEW_WAITING_BYTES)) {
                markWhenTaken();
                pause(false);
            }
        });
        if (!paused && waitingBytes > allowed(MOST_WAITING_BYTES)) {
            pause(true);
        }
    }

    private long allowed(long bytes) {
        return context.arriving().isFull() ? LEAST_WAITING_BYTES : bytes;
    }

    private void pause(boolean wanted) {
        paused = wanted;
        links.forEach(link -> link.channel().config().setAutoRead(!wanted));
    }

    /** The client has sent all that it wants to. */
    final void finish() {
        if (isEnding()) {
            return;
        }
        if (bytes < arrival.expectedBytes() && !arrival.mayBeFewer()) {
            cut(Reply.of(
                    426,
                    "Data connection ended early: expected " + arrival.expectedBytes() + " bytes, found " + bytes
                            + "."));
            return;
        }
        if (!ranges.isWhole()) {
            List<ByteRange> missing = ranges.missing(ranges.end());
            cut(Reply.of(
                    451,
                    "Transfer incomplete: bytes " + missing.get(0) + (missing.size() > 1 ? " and others" : "")
                            + " are missing."));
            return;
        }
        ending.complete(null);
        committing = true;
        context.onLoop(arrival.sink().commit(advance::told), (entry, failure) -> {
            if (isOver()) {
                return;
            }
            if (failure != null) {
                closeLinks();
                outcome().complete(BackendReplies.of(failure));
                return;
            }
            if (markers.isOnForRanges() && unmarked.count() > 0) {
                context.replies().accept(Markers.ranges(unmarked.list()));
            }
            if (markers.isOn()) {
                context.replies().accept(Markers.performance(context.clock().instant(), bytes));
            }
            outcome().complete(complete(arrival.sink().results()));
        });
    }

    private static Reply complete(List<String> results) {
        String words = "Transfer Complete.";
        return results.isEmpty()
                ? Reply.of(226, words)
                : Reply.of(226, words, results.stream().map(line -> " " + line).toList(), "End.");
    }

    private void closeLinks() {
        links().forEach(this::drop);
    }

    @Override
    final void abort(Reply reply) {
        end(reply, false);
    }

    @Override
    final void leave(Reply reply) {
        if (!isEnding()) {
            abort(reply);
            return;
        }
        closeLinks();
        outcome()
                .complete(
                        committing
                                ? Reply.of(
                                        426, "Transfer aborted by ABOR: the file has come whole, its delivery goes on.")
                                : reply);
    }

    @Override
    final void cut(Reply reply) {
        end(reply, arrival.mayResume() && markedRanges);
    }

    /**
     * Ends it while the client sends. A connection that is closed before all has been read that came is reset, and clients tell of
     * that instead of the reply, which most look for only when they have sent all: so what comes is dropped for a while.
     */
    private void refuse(Reply reply) {
        if (isEnding()) {
            return;
        }
        ending.complete(null);
        isRefused = true;
        pause(false);
        context.onLoop(arrival.sink().abort(), (done, failure) -> {
            List<DataLink> refused = links();
            links.clear();
            context.loop().schedule(() -> refused.forEach(DataLink::close), DROP_SECONDS, TimeUnit.SECONDS);
            outcome().complete(reply);
        });
    }

    /** Returns whether the bytes themselves, or what was said before them, tell a part of the file from the whole. */
    abstract boolean knowsItsEnd();

    final boolean isOrphaned() {
        return orphaned.isPresent();
    }

    @Override
    final CompletableFuture<Void> orphan(Reply reply) {
        // a loop that ends runs nothing later
        if (knowsItsEnd() && !context.loop().isShuttingDown()) {
            orphaned = Optional.of(reply);
            arrival.sink().left();
            links().stream().filter(DataLink::hasHeld).forEach(this::drop);
            cutWhenDeserted();
        } else {
            cut(reply);
        }
        return ending;
    }

    /** Nobody who is gone connects any more, but what has connected may wait to be accepted. */
    private void cutWhenDeserted() {
        orphaned.ifPresent(reply -> context.loop()
                .schedule(
                        () -> {
                            if (links.isEmpty()) {
                                cut(reply);
                            }
                        },
                        ACCEPT_MILLIS,
                        TimeUnit.MILLISECONDS));
    }

    private void end(Reply reply, boolean keep) {
        if (isEnding()) {
            return;
        }
        ending.complete(null);
        closeLinks();
        CompletableFuture<Void> ended =
                keep ? arrival.sink().suspend() : arrival.sink().abort();
        context.onLoop(ended, (done, failure) -> outcome().complete(reply));
    }

    @Override
    final long bytes() {
        return bytes;
    }

    @Override
    boolean waitsForClient() {
        return !isEnding() && waitingBytes == 0;
    }

    @Override
    final void tick() {
        if (isOver()) {
            return;
        }
        advance.look(bytes, arrival.sink().reached(takenBytes));
        if (advance.isRecent() && markers.performanceIsDue()) {
            context.replies().accept(Markers.performance(context.clock().instant(), advance.reached()));
        }
        if (isEnding()) {
            return;
        }
        if (markers.rangesAreDue() && unmarked.count() > 0 && waitingBytes == 0) {
            mark();
        } else if (markers.rangesAreDue() && unmarked.count() > 0) {
            // what has not been taken yet cannot be promised; a pause lets the disk catch up
            marksWhenTaken = true;
            pause(true);
        }
    }

    private void markWhenTaken() {
        if (marksWhenTaken && !isEnding()) {
            marksWhenTaken = false;
            mark();
        }
    }

    /** Tells of ranges only when they would survive a power loss: the client will not send them again. */
    private void mark() {
        markers.rangesMarked();
        List<ByteRange> durable = unmarked.list();
        unmarked = new ByteRanges();
        context.onLoop(arrival.sink().force(), (done, failure) -> {
            if (failure != null) {
                refuse(BackendReplies.of(failure));
            } else if (!isEnding()) {
                markedRanges = true;
                context.replies().accept(Markers.ranges(durable));
            }
        });
    }
}
