package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.Quotas;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.TreePlan;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Names;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What comes in over the link from one neighbour: each message is routed, written, and then confirmed, in order.
 *
 * <p>While the disk is at its floor or the neighbour's account is ahead of its rate, messages wait here, at most
 * {@value #MOST_BYTES} bytes; then the neighbour is held up; words pass those that wait for space, since they may be
 * what makes it, and are confirmed when their turn comes. A session's end forgets what waits: the neighbour has it.
 * Calls from the session do not block.
 */
final class LinkInlet {
    private static final Logger LOG = LoggerFactory.getLogger(LinkInlet.class);
    private static final long MOST_BYTES = 48L * 1024 * 1024;
    private static final long RETRY_MILLIS = 250;
    private static final int ROOM_FOR_PROPERTIES = 1024;

    private final ActiveMQServer server;
    private final Intake intake;
    private final Quotas quotas;
    private final Optional<Forwards> forwards;
    private final InOrder passing = new InOrder(this::taken);
    private final Routes routes;
    private final String self;
    private final String peer;
    private final LinkSession session;
    private final LinkRights rights;
    private final QuietLog log;
    private final Lane lane;
    private final Executor executor; // in order
    private final OperationContext context;
    private final Deque<LinkFrame.Carried> waiting = new ArrayDeque<>(); // guarded by this
    private long waitingBytes; // guarded by this
    private boolean running; // guarded by this
    private boolean over; // guarded by this
    private long expected = 1; // session's event loop only
    private long taken; // guarded by this
    private boolean telling; // guarded by this
    private final Set<Long> passed = new HashSet<>(); // words that went before their turn; executor only
    private boolean heldBack; // whether the next piece has waited for the account's rate; executor only
    private long looked; // the last message that might have; executor only

    /**
     * What outlives the sessions of a neighbour: what has come in since the launch, and where it is dealt with, in order.
     * So a message that is sent again over the next session is confirmed only after what the last one wrote.
     */
    static final class Lane {
        final LongAdder frames = new LongAdder();
        final LongAdder bytes = new LongAdder();
        private final Executor executor;
        private final OperationContext context;

        Lane(ActiveMQServer server) {
            this.executor = server.getExecutorFactory().getExecutor();
            this.context = server.getStorageManager().newContext(executor);
        }

        Figures figures() {
            return new Figures(frames.sum(), bytes.sum());
        }

        /** Ends when all that has been begun until now is over. */
        CompletableFuture<Void> quiet() {
            return CompletableFuture.runAsync(() -> {}, executor);
        }
    }

    /** What has come in. */
    record Figures(long frames, long bytes) {}

    /** Where messages go. */
    record Places(
            ActiveMQServer server,
            Intake intake,
            Quotas quotas,
            Optional<Forwards> forwards,
            Routes routes,
            Behind behind,
            String self,
            QuietLog log) {}

    LinkInlet(Places places, String peer, LinkSession session, LinkRights rights, Lane lane) {
        this.server = places.server();
        this.intake = places.intake();
        this.quotas = places.quotas();
        this.forwards = places.forwards();
        this.routes = places.routes();
        this.self = places.self();
        this.log = places.log();
        this.peer = peer;
        this.session = session;
        this.rights = rights;
        this.lane = lane;
        this.executor = lane.executor;
        this.context = lane.context;
    }

    /** Takes a message; called on the session's event loop. */
    void received(LinkFrame.Carried carried) {
        if (carried.sequence() != expected) {
            carried.message().release();
            session.abort("message " + carried.sequence() + " came, expected " + expected);
            return;
        }
        expected++;
        synchronized (this) {
            if (over) {
                carried.message().release();
                return;
            }
            waiting.add(carried);
            waitingBytes += carried.message().readableBytes();
            if (waitingBytes > MOST_BYTES) {
                session.setReading(false);
            }
            if (running) {
                return;
            }
            running = true;
        }
        executor.execute(this::run);
    }

    private void run() {
        StorageManager storage = server.getStorageManager();
        storage.setContext(context);
        try {
            LinkFrame.@Nullable Carried next = head();
            while (next != null) {
                if (passed.remove(next.sequence())) {
                    confirm(next.sequence());
                } else if (!take(next, false)) {
                    passWords();
                    server.getScheduledPool()
                            .schedule(() -> executor.execute(this::run), RETRY_MILLIS, TimeUnit.MILLISECONDS);
                    return;
                }
                next = afterHead();
            }
        } catch (Exception | Error e) {
            log.warn("link-lost", "link from " + peer + ": a message could not be taken, so it is given up: " + e);
            LOG.debug("link from {}", peer, e);
            session.abort("a message could not be taken");
            end();
        } finally {
            storage.clearContext();
        }
    }

    private void passWords() throws Exception {
        List<LinkFrame.Carried> behind;
        synchronized (this) {
            behind = forwards.isPresent() ? List.of() : waiting.stream().skip(1).toList();
        }
        for (LinkFrame.Carried each : behind) {
            if (each.sequence() > looked) {
                looked = each.sequence();
                if (each.message().readableBytes() < DiskFloor.SMALL_BYTES && take(each, true)) {
                    passed.add(each.sequence());
                }
            }
        }
    }

    private synchronized LinkFrame.@Nullable Carried head() {
        running = !waiting.isEmpty();
        return waiting.peekFirst();
    }

    private synchronized LinkFrame.@Nullable Carried afterHead() {
        LinkFrame.@Nullable Carried done = waiting.pollFirst();
        if (done != null) {
            waitingBytes -= done.message().readableBytes();
            done.message().release();
            if (waitingBytes <= MOST_BYTES / 2) {
                session.setReading(true);
            }
        }
        return head();
    }

    /**
     * Returns whether the message has been dealt with; false when there is no room for it now.
     *
     * @param early whether it is not its turn: only a word is dealt with then, and not confirmed
     */
    private boolean take(LinkFrame.Carried carried, boolean early) throws Exception {
        if (!EncodedMessage.isSound(carried.message(), carried.message().readerIndex())) {
            return !early && drop(carried, "its lengths do not fit");
        }
        CoreMessage message = decode(carried.message());
        FrameProperties.unrelay(message);
        String address = String.valueOf(message.getAddress());
        if (early && !Intake.isWord(message)) {
            return false;
        }
        Optional<String> objection = objection(message, address, carried);
        if (objection.isPresent()) {
            return !early && drop(carried, objection.get());
        }
        boolean piece = FrameProperties.isPiece(message);
        if (piece && isAhead() || intake.shortage(message).isPresent()) {
            return false;
        }
        boolean confirmed = early;
        if (!FrameProperties.leadsOver(carried.via(), self)) {
            FrameProperties.arrived(message, peer, carried.via());
            if (FrameProperties.forgetUnsoundDrains(message)) {
                log.warn("link-drains", "link from " + peer + ": what a message says of dry queues is not believed");
            }
            if (forwards.isEmpty()) {
                intake.observe(message);
                intake.taken(message, route(message, address, new RoutingContextImpl(null)));
            } else if (forward(forwards.get(), message, address, carried.sequence())) {
                confirmed = true;
            } else {
                return false;
            }
        }
        if (piece) {
            rights.user()
                    .ifPresent(user -> quotas.carried(user, carried.message().readableBytes()));
        }
        lane.frames.increment();
        lane.bytes.add(carried.message().readableBytes());
        if (!confirmed) {
            confirm(carried.sequence());
        }
        return true;
    }

    /** Returns whether the next piece waits for the rate of its account, which is counted once. */
    private boolean isAhead() {
        boolean ahead = rights.user().map(quotas::pauseNs).orElse(0L) > 0;
        if (ahead && !heldBack) {
            rights.user().ifPresent(quotas::delayed);
        }
        heldBack = ahead;
        return ahead;
    }

    /** It is confirmed, as it would be no better the next time. */
    private boolean drop(LinkFrame.Carried carried, String why) {
        log.warn("link-frame", "link from " + peer + ": a message was dropped: " + why);
        confirm(carried.sequence());
        return true;
    }

    private static CoreMessage decode(ByteBuf encoded) {
        int length = encoded.readableBytes();
        ByteBuf own = Unpooled.buffer(length + ROOM_FOR_PROPERTIES);
        encoded.getBytes(encoded.readerIndex(), own, length);
        CoreMessage message = new CoreMessage();
        message.receiveBuffer(own);
        return message;
    }

    private Optional<String> objection(CoreMessage message, String address, LinkFrame.Carried carried) {
        if (carried.message().readableBytes() > Intake.MAX_FRAME_BYTES) {
            return Optional.of("it has " + carried.message().readableBytes() + " bytes, expected at most "
                    + Intake.MAX_FRAME_BYTES);
        }
        if (!Addresses.isShared(address) && !Addresses.isPersonal(address)) {
            return Optional.of("address " + Names.shown(address) + " is none of the network's");
        }
        if (carried.via().chars().filter(c -> c == '/').count() > TreePlan.MOST_LINKS) {
            return Optional.of("it has passed more than " + TreePlan.MOST_LINKS + " brokers");
        }
        return rights.objection(message, address);
    }

    /** Returns whether the message is on its way; false when nobody may have had the time yet to say that it is wanted. */
    private boolean forward(Forwards through, CoreMessage message, String address, long sequence) throws Exception {
        Forwards.Passing one = through.begin(message);
        RoutingContextImpl context = new RoutingContextImpl(null);
        RoutingStatus status = route(message, address, context);
        if (status == RoutingStatus.NO_BINDINGS && Addresses.isShared(address) && mayBeUnheard()) {
            return false;
        }
        intake.observe(message);
        intake.taken(message, status);
        Runnable gone = passing.begin(sequence);
        switch (status) {
            case OK -> one.routed(context.getQueueCount(), gone);
            case DUPLICATED_ID -> one.again(gone);
            default -> gone.run();
        }
        return true;
    }

    private boolean mayBeUnheard() {
        return forwards.map(Forwards::isIgnorant).orElse(false);
    }

    private RoutingStatus route(CoreMessage message, String address, RoutingContextImpl context) throws Exception {
        message.setMessageID(server.getStorageManager().generateID());
        boolean elsewhere = Addresses.isPersonal(address) && server.locateQueue(SimpleString.of(address)) == null;
        Optional<String> next = elsewhere ? routes.next(address) : Optional.empty();
        if (next.isPresent()) {
            FrameProperties.relay(message, Routes.by(next.get(), address), address);
        } else {
            message.reencode();
        }
        SimpleString place = message.getAddressSimpleString();
        RoutingStatus status = server.getPostOffice().route(message, context, false);
        if (status == RoutingStatus.NO_BINDINGS) {
            intake.unrouted(message);
            if (Addresses.isShared(address) && !mayBeUnheard()) {
                session.send(new LinkFrame.Unwanted(place.toString()));
            }
        }
        return status;
    }

    /** Says so once everything before has reached the disk, or has left a broker that only forwards. */
    private void confirm(long sequence) {
        if (forwards.isPresent()) {
            passing.begin(sequence).run();
            return;
        }
        server.getStorageManager().afterCompleteOperations(new IOCallback() {
            @Override
            public void done() {
                taken(sequence);
            }

            @Override
            public void onError(int code, String text) {
                session.abort("the disk of broker " + self + " failed: " + text);
            }
        });
    }

    private void taken(long sequence) {
        synchronized (this) {
            taken = Math.max(taken, sequence);
            if (telling) {
                return;
            }
            telling = true;
        }
        session.execute(this::tell);
    }

    private void tell() {
        long upTo;
        synchronized (this) {
            telling = false;
            upTo = taken;
        }
        session.send(new LinkFrame.Taken(upTo));
    }

    /** The session has ended. */
    synchronized void end() {
        over = true;
        executor.execute(this::drop);
    }

    private synchronized void drop() {
        waiting.forEach(each -> each.message().release());
        waiting.clear();
        waitingBytes = 0;
        running = false;
    }
}
