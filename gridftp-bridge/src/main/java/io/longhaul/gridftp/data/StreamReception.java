package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Reply;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * MODE S: one connection, whose end is the end of the file.
 *
 * <p>Several may have been opened, by strangers too: the first from which a byte comes is the client's. One that ends
 * without a byte is an empty file only if no other comes soon after it, and none broke.
 */
final class StreamReception extends Reception {
    private static final int EMPTY_MILLIS = 150;

    /**
     * How far the end of the control connection may be behind that of the data when a client ends in the middle: the machine is
     * busy, a packet was lost, or the program has something to say first. A small share of what the file took: many small ones must
     * not wait, and of those few are cut.
     */
    private static final int LEAST_CONTROL_MILLIS = 2;

    private static final int MOST_CONTROL_MILLIS = 250;
    private static final int CONTROL_SHARE = 10;
    private static final int FEWER_MILLIS = 2000; // than announced, which is rare enough to be sure

    private final boolean isPassive;
    private final long begunNs;
    private final TextLines lines = new TextLines();
    private @Nullable DataLink chosen;
    private boolean isEmpty;
    private boolean isDoubtful;
    private long position;

    StreamReception(TransferContext context, Arrival arrival, MarkerPeriods periods, boolean isPassive) {
        super(context, arrival, periods);
        this.isPassive = isPassive;
        this.begunNs = context.nanoTime().getAsLong();
        this.position =
                arrival.present().isEmpty() ? 0 : arrival.present().get(0).end();
    }

    @Override
    boolean wantsLinks() {
        return chosen == null && !isEnding();
    }

    @Override
    boolean knowsItsEnd() {
        return arrival().expectedBytes() > 0;
    }

    @Override
    public void bytes(DataLink link, ByteBuf bytes) {
        if (chosen == null) {
            chosen = link;
            links().stream().filter(other -> other != link).forEach(this::drop);
        }
        append(arrival().isText() ? lines.fromNetwork(bytes) : bytes);
    }

    private void append(ByteBuf data) {
        int length = data.readableBytes();
        store(position, data);
        position += length;
    }

    @Override
    public void gone(DataLink link) {
        forget(link);
        // its length stands in for the end that TLS or a living client would have told of
        boolean clean =
                link.isReady() && !link.isBroken() && (hasWhatWasSaid() || !link.isTruncated() && !isOrphaned());
        if (chosen == null) {
            goneSilently(link, clean);
        } else if (link == chosen && clean) {
            append(lines.rest(link.channel().alloc()));
            finishUnlessKilled();
        } else if (link == chosen) {
            cut(broken());
        }
    }

    private boolean isFewer() {
        return arrival().mayBeFewer() && bytes() < arrival().expectedBytes();
    }

    private boolean hasWhatWasSaid() {
        return knowsItsEnd() && bytes() == arrival().expectedBytes();
    }

    /**
     * A client that is killed ends all its connections, this one last, if it had bytes to send: unless exactly the announced
     * length came it is only the end of the control connection, to be read in the loop's next turn, that tells the part from
     * the whole. So does a program that is interrupted.
     */
    private void finishUnlessKilled() {
        if (hasWhatWasSaid()) {
            finish();
        } else {
            long millis = isFewer() ? FEWER_MILLIS : controlMillis();
            context().loop().schedule(this::finishUnlessOrphaned, millis, TimeUnit.MILLISECONDS);
        }
    }

    private long controlMillis() {
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(context().nanoTime().getAsLong() - begunNs);
        return Math.max(LEAST_CONTROL_MILLIS, Math.min(MOST_CONTROL_MILLIS, tookMillis / CONTROL_SHARE));
    }

    private void finishUnlessOrphaned() {
        if (isOrphaned()) {
            cut(broken());
        } else {
            finish();
        }
    }

    private Reply broken() {
        return Reply.of(426, "Data connection broken after " + bytes() + " bytes.");
    }

    /** A connection that breaks before its first byte might have carried the file as well as nothing. */
    private void goneSilently(DataLink link, boolean clean) {
        boolean isClients = !isPassive || link.hasCarried();
        isDoubtful |= !clean;
        if (clean && isClients) {
            finishUnlessKilled();
        } else if (clean && !isEmpty && links().isEmpty()) {
            isEmpty = true;
            int millis = isFewer() ? FEWER_MILLIS : EMPTY_MILLIS;
            context().loop().schedule(this::finishEmpty, millis, TimeUnit.MILLISECONDS);
        } else if (!clean && isClients && links().isEmpty()) {
            cut(Reply.of(426, "Data connection broken before its first byte."));
        }
    }

    private void finishEmpty() {
        isEmpty = false;
        // with bytes announced it was a stranger's, and nobody is left to say that there are none
        boolean mayBeEmpty = arrival().expectedBytes() == 0 || arrival().mayBeFewer();
        if (chosen == null && !isDoubtful && links().isEmpty() && mayBeEmpty && !isOrphaned()) {
            finish();
        }
    }
}
