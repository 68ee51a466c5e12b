package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSnapshot;
import io.longhaul.ptcp.frame.Frame;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data channels of a session: how many there should be, which are there, which must be replaced; event loop only.
 *
 * <p>The opener dials; the other end says how many it would like. Each end finds its number from what it sends.
 */
final class Streams {
    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);
    private static final OncePerSecond STALLS =
            new OncePerSecond((kind, story) -> LOG.info("{}", story), System::nanoTime);
    private static final long RETIRE_NS = Duration.ofSeconds(1).toNanos();

    /** An end says something every second, or half a second later, so that less silence tells nothing. */
    private static final long LEAST_SILENCE_NS = Duration.ofSeconds(2).toNanos();

    private static final long LEAST_INTERVAL_NS = Duration.ofMillis(500).toNanos();
    private static final int INTERVAL_ROUND_TRIPS = 4;

    /** Channels there may be, of those that are agreed on: some end while others begin. */
    private static final int MOST_TIMES = 2;

    private final Session session;
    private final SessionTerms terms;
    private final PtcpConfig config;
    private final Sender sender;
    private final Splitter splitter;
    private final StreamCount count;
    private final PathWatch path = new PathWatch();
    private final Standstill standstill;
    private final @Nullable Redial redial;
    private int peerWanted;
    private int told; // what it would like
    private boolean hasTold; // and has said so
    private boolean joined; // whether there ever was one
    private long withoutAnySinceNs;
    private long progressNs;
    private long intervalNs;
    private long intervalBytes;
    private long lostStreams;
    private long leastPulseNs; // 0 while none is known
    private ControlLink.Pulse pulse = ControlLink.Pulse.FIRST;
    private volatile PtcpSnapshot snapshot; // written on the event loop

    Streams(
            Session session,
            SessionTerms terms,
            PtcpConfig config,
            Sender sender,
            Splitter splitter,
            @Nullable Dialer dialer) {
        this.session = session;
        this.terms = terms;
        this.config = config;
        this.sender = sender;
        this.splitter = splitter;
        boolean auto = dialer == null || config.streams() == PtcpConfig.AUTO;
        this.count = auto
                ? StreamCount.auto(terms.maxStreams())
                : StreamCount.fixed(Math.min(config.streams(), terms.maxStreams()));
        this.redial = dialer == null ? null : new Redial(session, dialer);
        this.standstill = new Standstill(
                splitter,
                config.stallLimit().plus(config.restoreLimit()).toNanos(),
                session.loop().nowNs());
        this.told = count.target();
        this.withoutAnySinceNs = session.loop().nowNs();
        this.progressNs = session.loop().nowNs();
        this.intervalNs = session.loop().nowNs();
        this.snapshot = count();
    }

    void add(DataChannel channel, int packetBytes) {
        joined = true;
        sender.add(channel);
        channel.start(packetBytes);
        if (count.isSearching()) {
            path.look(List.of(channel), session.loop().nowNs());
        }
        publish();
    }

    boolean isEmpty() {
        return sender.channels().isEmpty();
    }

    boolean isWithoutAny(long nowNs, long limitNs) {
        return isEmpty() && nowNs - withoutAnySinceNs > limitNs;
    }

    void lost(DataChannel channel, long nowNs) {
        if (!sender.channels().contains(channel)) {
            return;
        }
        sender.remove(channel);
        if (!channel.isRetired()) {
            lostStreams++;
            LOG.debug("session {}: stream {} lost", session.id(), channel.number());
            session.tell(new Frame.Lost(channel.number()));
            if (redial != null) {
                redial.lost(channel.ageNs(nowNs), nowNs);
            }
        }
        if (isEmpty()) {
            withoutAnySinceNs = nowNs;
        }
        publish();
        maintain(nowNs);
    }

    void peerLost(int number) {
        find(number, DataChannel::close);
    }

    void peerRetired(int number, long nowNs) {
        find(number, channel -> channel.retire(nowNs));
    }

    private void find(int number, Consumer<DataChannel> action) {
        sender.channels().stream()
                .filter(channel -> channel.number() == number)
                .findFirst()
                .ifPresent(action);
    }

    /** The other end would like so many; counts from the next tick on, as it may change its mind at any time. */
    void wanted(int value) {
        peerWanted = Math.min(value, terms.maxStreams());
    }

    /** Says again how many this end would like, which only the opener can act on; nothing when it never said so. */
    void tell() {
        if (redial == null && hasTold) {
            session.tell(new Frame.Streams(told));
        }
    }

    /** The other end has received more, so that the sockets may take more. */
    void progressed(long nowNs) {
        progressNs = nowNs;
        lookForRoom();
    }

    private void lookForRoom() {
        sender.channels().stream().filter(DataChannel::isShortOfRoom).forEach(DataChannel::look);
    }

    /** The control channel is gone, which lived for so long. */
    void restoreControl(long livedNs) {
        if (redial != null) {
            redial.lostControl(livedNs);
        }
    }

    /** Dials what is missing and retires what is too much; only the opener. */
    void maintain(long nowNs) {
        if (redial == null) {
            return;
        }
        int target = config.streams() == PtcpConfig.AUTO ? wanted() : count.target();
        List<DataChannel> live =
                sender.channels().stream().filter(one -> !one.isRetired()).toList();
        // those that are retired count until they are gone, as they do at the other end
        int room = MOST_TIMES * terms.maxStreams() - sender.channels().size();
        redial.streams(Math.min(target - live.size(), room), nowNs);
        for (int i = target; i < live.size(); i++) {
            DataChannel surplus = live.get(i);
            surplus.retire(nowNs);
            session.tell(new Frame.Retire(surplus.number()));
        }
    }

    /** Returns what either end would like; one that only receives has no wish once the other has told its own. */
    private int wanted() {
        int own = peerWanted == 0 || count.isMeasured() ? count.target() : 1;
        return Math.min(terms.maxStreams(), Math.max(own, peerWanted));
    }

    void tick(long nowNs, ControlLink.Pulse measured) {
        pulse = measured;
        if (pulse.roundTripNs() > 0) {
            leastPulseNs = leastPulseNs == 0 ? pulse.roundTripNs() : Math.min(leastPulseNs, pulse.roundTripNs());
        }
        boolean heard = pulse.silentNs() < Math.max(config.stallLimit().toNanos(), LEAST_SILENCE_NS);
        if (standstill.isTooLong(nowNs, heard)) {
            session.fail(new PtcpException(
                    PtcpException.Code.LOST,
                    "connection lost: the other end is heard, but acknowledged nothing for "
                            + standstill.limitNs() / 1_000_000 + " ms"));
            return;
        }
        closeStalled(nowNs, heard);
        for (DataChannel channel : List.copyOf(sender.channels())) {
            channel.tick();
            boolean busy = splitter.waitsFor(channel.number());
            if (busy) {
                channel.spare(nowNs);
            } else if (!channel.isAlive(nowNs, config.keepAlive().toNanos())) {
                channel.close();
            }
            if (redial != null && channel.isRetired() && !busy && nowNs - channel.retiredNs() > RETIRE_NS) {
                channel.close();
            }
        }
        // a crowd of idle sessions must not ask for each of their streams
        if (splitter.hasNext() || splitter.position() > splitter.acknowledged()) {
            path.look(sender.channels(), nowNs);
            session.pump(); // sockets that were given all they may have do not say that they take more
        }
        measure(nowNs);
        maintain(nowNs);
        publish();
    }

    /**
     * The oldest packet holds up everything behind it; when nothing moves, its stream is to blame. Others may be as dead, as
     * behind a line that failed: those that TCP has had no answer on go at once, too. None is to blame while the other end
     * is not heard on the control channel, since nothing can be acknowledged then.
     */
    private void closeStalled(long nowNs, boolean heard) {
        long limitNs = config.stallLimit().toNanos();
        if (!heard) {
            progressNs = nowNs;
            return;
        }
        Packet oldest = splitter.oldest();
        if (oldest != null && nowNs - oldest.sentNs() > limitNs && nowNs - progressNs > limitNs) {
            find(oldest.stream(), this::closeStalled);
            sender.channels().stream()
                    .filter(channel -> splitter.waitsFor(channel.number(), nowNs - limitNs))
                    .filter(channel -> channel.isUnanswered(limitNs))
                    .forEach(this::closeStalled);
            progressNs = nowNs;
        }
    }

    private void closeStalled(DataChannel channel) {
        STALLS.accept("stall", "session " + session.id() + ": stream " + channel.number() + " stalled");
        channel.close();
    }

    private void measure(long nowNs) {
        long lengthNs = nowNs - intervalNs;
        if (lengthNs < Math.max(LEAST_INTERVAL_NS, INTERVAL_ROUND_TRIPS * pulse.roundTripNs())) {
            return;
        }
        long bytes = splitter.acknowledged() - intervalBytes;
        intervalNs = nowNs;
        intervalBytes = splitter.acknowledged();
        count.observe(
                new StreamCount.Interval(bytes, lengthNs, nowNs, sender.wasSaturated(), path.path(), roundTripNs()));
        path.next();
        if (count.target() != told || (count.isMeasured() && !hasTold)) {
            told = count.target();
            hasTold = true;
            tell();
        }
    }

    /** Returns that of the path while it is empty: TCP's, which with a proxy is that of a part, or the control channel's. */
    private long roundTripNs() {
        return path.roundTripNs() == 0 ? 0 : Math.max(path.roundTripNs(), leastPulseNs);
    }

    private void publish() {
        snapshot = count();
    }

    private PtcpSnapshot count() {
        return new PtcpSnapshot(
                splitter.position(),
                sender.resentBytes(),
                splitter.acknowledged(),
                session.receivedBytes(),
                lostStreams,
                count.target(),
                pulse.roundTripNs(),
                pulse.silentNs(),
                sender.channels().stream().map(DataChannel::snapshot).toList());
    }

    /** Any thread: on the event loop what holds now, elsewhere what held a moment ago. */
    PtcpSnapshot snapshot() {
        return session.loop().isHere() ? count() : snapshot;
    }

    boolean hasJoined() {
        return joined;
    }

    /** Nothing is dialled any more. */
    void end() {
        publish();
        if (redial != null) {
            redial.close();
        }
    }

    void close() {
        List.copyOf(sender.channels()).forEach(DataChannel::close);
    }
}
