package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.security.ClearText;
import io.longhaul.gridftp.security.Protection;
import io.longhaul.gridftp.security.SecurityContext;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The data connections of one session: where they come from or go to, those that wait for a transfer, and those that one
 * has left open for the next.
 *
 * <p>In MODE S each transfer uses up its PASV or PORT. In MODE E the connections stay, and with them the address, so that
 * the next transfer in the same direction needs neither.
 */
public final class DataChannels {
    private static final int TICK_MILLIS = 250;
    private static final int MOST_PARKED = 8;

    private final DataNetwork network;
    private final TransferContext context;
    private final Set<DataLink> waiting = new LinkedHashSet<>();
    private SecurityContext security = new ClearText();
    private Protection level = Protection.CLEAR;
    private @Nullable Channel listening;
    private List<InetSocketAddress> destinations = List.of();
    private boolean isSending;
    private boolean hasCached;
    private int generation;
    private boolean isClosed;
    private @Nullable Transfer running;

    /** Prepares; opens nothing. */
    public DataChannels(DataNetwork network, TransferContext context) {
        this.network = network;
        this.context = context;
    }

    /** How a transfer uses connections. */
    public record Terms(boolean isExtended, boolean isText, int parallelism, MarkerPeriods markers) {}

    /** Returns who may have data connections. */
    public DataNetwork network() {
        return network;
    }

    /** Uses other protection from now on; what is open under another one is closed. */
    public void secure(SecurityContext other, Protection protection) {
        closeWaiting();
        security = other;
        level = protection;
    }

    /** Returns the level of protection. */
    public Protection level() {
        return level;
    }

    /** Listens in place of everything there was; told the address that clients see. */
    public CompletableFuture<InetSocketAddress> listen() {
        reset();
        int mine = generation;
        CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
        context.onLoop(network.listen(link -> accepted(link, mine)), (channel, failure) -> {
            if (failure != null) {
                address.completeExceptionally(failure);
            } else if (mine != generation) {
                channel.close();
                address.completeExceptionally(new IllegalStateException("replaced"));
            } else {
                listening = channel;
                address.complete((InetSocketAddress) channel.localAddress());
            }
        });
        return address;
    }

    /** Connects to these addresses when there is something to transfer, in place of everything there was. */
    public void connectTo(List<InetSocketAddress> addresses) {
        reset();
        destinations = List.copyOf(addresses);
    }

    /** Closes everything that waits. */
    public void reset() {
        generation++;
        closeWaiting();
        destinations = List.of();
        if (listening != null) {
            listening.close();
            listening = null;
        }
    }

    private void closeWaiting() {
        hasCached = false;
        List.copyOf(waiting).forEach(DataLink::close);
        waiting.clear();
    }

    public boolean isPassive() {
        return listening != null;
    }

    public boolean isActive() {
        return !destinations.isEmpty();
    }

    /** Returns whether connections of the last transfer serve the next one. */
    public boolean isCached(boolean sending) {
        if (hasCached) {
            waiting.removeIf(link -> !link.isOpen() && !link.hasHeld());
        }
        return hasCached && isSending == sending && !waiting.isEmpty();
    }

    /** Closes what the last transfer left for the next one, with its address: in another mode that needs its own. */
    public void dropCached() {
        if (hasCached) {
            reset();
        }
    }

    private void accepted(DataLink link, int since) {
        if (since != generation) {
            link.close();
        } else if (running != null && running.wantsLinks()) {
            hand(link, running);
        } else if (waiting.size() < (running == null ? context.limits().dataConnections() : MOST_PARKED)) {
            waiting.add(link);
        } else {
            link.close();
        }
    }

    private void hand(DataLink link, Transfer transfer) {
        link.secure(security.protect(level, link.channel()));
        transfer.take(link);
    }

    /** Receives a file; told the command's last reply. */
    public CompletableFuture<Reply> receive(Arrival arrival, Terms terms) {
        return run(
                terms.isExtended()
                        ? new BlockReception(context, arrival, terms.markers())
                        : new StreamReception(context, arrival, terms.markers(), isPassive()),
                terms,
                false);
    }

    /**
     * Sends a file or a listing; told the command's last reply.
     *
     * @param shift taken off the positions that blocks tell
     */
    public CompletableFuture<Reply> send(Source source, Terms terms, long shift) {
        if (!terms.isExtended()) {
            return run(new StreamEmission(context, source, terms.markers(), terms.isText()), terms, true);
        }
        int cached = isCached(true) ? waiting.size() : 0;
        int wanted = cached > 0 ? cached : Math.max(destinations.size(), terms.parallelism());
        return run(new BlockEmission(context, source, terms.markers(), shift, wanted), terms, true);
    }

    private CompletableFuture<Reply> run(Transfer transfer, Terms terms, boolean sending) {
        boolean reuses = isCached(sending);
        if (hasCached && !reuses) {
            closeWaiting();
        }
        running = transfer;
        long began = context.nanoTime().getAsLong();
        Watch watch = new Watch(transfer, began);
        ScheduledFuture<?> ticking = context.loop().scheduleAtFixedRate(watch, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        CompletableFuture<Reply> told = new CompletableFuture<>();
        transfer.outcome().thenAccept(reply -> {
            ticking.cancel(false);
            ended(transfer, terms, sending, reply);
            told.complete(reply);
        });
        List<DataLink> ready = new ArrayList<>(waiting);
        waiting.clear();
        ready.forEach(link -> hand(link, transfer));
        if (isClosed) {
            orphan(transfer);
        } else if (isActive() && !reuses) {
            connect(transfer, sending && terms.isExtended() ? terms.parallelism() : 1);
        }
        return told;
    }

    private void connect(Transfer transfer, int parallelism) {
        int count = Math.max(parallelism, destinations.size());
        for (int i = 0; i < count; i++) {
            InetSocketAddress to = destinations.get(i % destinations.size());
            context.onLoop(network.connect(to), (link, failure) -> {
                if (failure == null && !transfer.isOver()) {
                    hand(link, transfer);
                } else if (failure == null) {
                    link.close();
                } else if (transfer instanceof BlockEmission blocks) {
                    blocks.failed(why(to, failure));
                } else {
                    transfer.abort(Reply.of(425, "Cannot open data connection: " + why(to, failure)));
                }
            });
        }
    }

    private static String why(InetSocketAddress to, Throwable failure) {
        return to.getAddress().getHostAddress() + " port " + to.getPort() + ": " + failure.getMessage();
    }

    private void ended(Transfer transfer, Terms terms, boolean sending, Reply reply) {
        running = null;
        List<DataLink> links = transfer.links();
        if (terms.isExtended() && reply.isPositive() && !isClosed) {
            links.forEach(link -> {
                link.attach(new Idle());
                if (link.isOpen() || link.hasHeld()) {
                    waiting.add(link);
                }
            });
            hasCached = true;
            isSending = sending;
        } else {
            links.forEach(DataLink::close);
            reset();
        }
    }

    /** Ends the running transfer for a client that does not wait for it; returns whether there was one. */
    public boolean abort(Reply reply) {
        Transfer transfer = running;
        if (transfer == null) {
            return false;
        }
        transfer.leave(reply);
        return true;
    }

    /** The session is over: nobody is left to be told of anything. Done when nothing more is read or sent. Idempotent. */
    public CompletableFuture<Void> close() {
        isClosed = true;
        Transfer transfer = running;
        if (transfer == null) {
            reset();
            return CompletableFuture.completedFuture(null);
        }
        return orphan(transfer);
    }

    private CompletableFuture<Void> orphan(Transfer transfer) {
        return transfer.orphan(Reply.of(426, "Control connection lost.")).thenRun(() -> {
            transfer.links().forEach(DataLink::close);
            reset();
        });
    }

    /** Looks at links between two transfers: those that the other end leaves are closed here too. */
    private final class Idle implements DataLink.Owner {
        @Override
        public void ready(DataLink link) {
            // it was long ago
        }

        @Override
        public void bytes(DataLink link, ByteBuf bytes) {
            IdleBytes.look(link, bytes);
        }

        @Override
        public void writable(DataLink link) {
            // nothing to send
        }

        @Override
        public void ended(DataLink link) {
            link.channel().close();
        }

        @Override
        public void gone(DataLink link) {
            if (!link.hasHeld()) {
                waiting.remove(link);
            }
        }
    }

    /** Watches over one transfer. */
    private final class Watch implements Runnable {
        private final Transfer transfer;
        private long bytes;
        private long lastMove;

        Watch(Transfer transfer, long now) {
            this.transfer = transfer;
            this.lastMove = now;
        }

        @Override
        public void run() {
            transfer.tick();
            handParked();
            long now = context.nanoTime().getAsLong();
            if (transfer.bytes() != bytes || !transfer.waitsForClient()) {
                bytes = transfer.bytes();
                lastMove = now;
            }
            boolean nobody = transfer.links().isEmpty() && bytes == 0;
            long limit = (nobody ? context.limits().connect() : context.limits().stall()).toNanos();
            if (now - lastMove > limit && !transfer.isOver()) {
                transfer.cut(
                        nobody
                                ? Reply.of(425, "Cannot open data connection: nobody connected in time.")
                                : Reply.of(426, stalled()));
            }
        }

        /** Those that came while the transfer had as many as it may have take the places of those that have ended. */
        private void handParked() {
            while (running == transfer && transfer.wantsLinks() && !waiting.isEmpty()) {
                DataLink parked = waiting.iterator().next();
                waiting.remove(parked);
                hand(parked, transfer);
            }
        }

        private String stalled() {
            Optional<String> missing = transfer instanceof BlockReception blocks
                    ? Optional.of("; there are " + blocks.missing())
                    : Optional.empty();
            return "Data connection stalled: no byte in "
                    + context.limits().stall().toSeconds() + " s, after " + bytes + " bytes" + missing.orElse("") + ".";
        }
    }
}
