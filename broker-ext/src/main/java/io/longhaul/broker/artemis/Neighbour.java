package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.network.Interests;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.Names;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One neighbour: its link while it stands, and what the two have told each other. Network's thread only.
 */
final class Neighbour {
    /** The other end says something every second, and one of these may come late; more would lock out a broker whose link is lost. */
    private static final Duration ALIVE = Duration.ofMillis(2500);

    private final String name;
    private final LinkQueues queues;
    private final LinkOutlet outlet;
    private final LinkInlet.Lane lane;
    private final OpenQueues outgoing;
    private @Nullable Standing standing;
    private boolean active;
    private boolean fading; // idle, and not yet told so
    private long fades; // how often it began to
    private boolean openedHere; // whether this broker has opened a link to it, since its launch
    private final LinkMeter meter = new LinkMeter();

    /** The link as it stands now. */
    private static final class Standing {
        final LinkSession session;
        final LinkInlet inlet;
        final LinkRights rights;
        final long sinceNs;
        long heardNs; // when the last sign of life came, as far as is known
        Set<String> told = Set.of();
        long toldVersion;
        long firstVersion; // the last of those that told everything at first
        long knownVersion;
        boolean heard;
        boolean judged; // whether the link carries files is known
        boolean greeted; // told what is wanted since it began to carry files
        final Set<String> gathered = new HashSet<>(); // of wants that are not complete yet
        long answeredVersion;

        Standing(LinkSession session, LinkInlet inlet, LinkRights rights, long sinceNs) {
            this.session = session;
            this.inlet = inlet;
            this.rights = rights;
            this.sinceNs = sinceNs;
            this.heardNs = sinceNs;
        }
    }

    Neighbour(String name, LinkQueues queues, LinkOutlet outlet, LinkInlet.Lane lane) {
        this.name = name;
        this.queues = queues;
        this.outlet = outlet;
        this.lane = lane;
        this.outgoing = new OpenQueues(name, queues, outlet);
    }

    String name() {
        return name;
    }

    /** Returns the queues of what is wanted there. */
    OpenQueues outgoing() {
        return outgoing;
    }

    LinkInlet.Lane lane() {
        return lane;
    }

    /** Returns whether this broker has reached the neighbour by itself, since its launch. */
    boolean isOpenedHere() {
        return openedHere;
    }

    /** Returns the account that the neighbour linked with last; empty when none is known. */
    Optional<String> account() throws Exception {
        return queues.account();
    }

    /** Keeps the account that the neighbour linked with, for {@link #account}. */
    void ownedBy(Optional<String> account) throws Exception {
        if (account.isPresent()) {
            queues.setAccount(account.get());
        }
    }

    /** The link stands. */
    void attach(LinkSession session, LinkInlet inlet, LinkRights rights, long nowNs) {
        standing = new Standing(session, inlet, rights, nowNs);
        openedHere |= session.isOpener();
    }

    /** Gives up a link over which the neighbour does not say for too long that it stands. */
    void expectJudgement(long nowNs, long patienceNs) {
        if (standing != null && !standing.judged && nowNs - standing.sinceNs > patienceNs) {
            standing.session.abort("the other broker does not report this link");
        }
    }

    /**
     * Gives up a link whose account has changed, so that it is asked anew who comes and what is wanted there; returns
     * whether it has not.
     */
    boolean expectRights() {
        Standing now = standing;
        if (now == null || !now.rights.haveChanged()) {
            return true;
        }
        now.session.abort("the rights of its account have changed");
        return false;
    }

    /** The link is lost. */
    void detach() {
        Standing last = standing;
        if (last != null) {
            standing = null;
            active = false;
            fading = false;
            last.inlet.end();
            outlet.detach();
        }
    }

    /** The link is given up; ends when what came over it is taken or dropped, and what was under way is back in its queues. */
    CompletableFuture<Void> leave() {
        detach();
        CompletableFuture<Void> quiet = new CompletableFuture<>();
        outlet.whenQuiet(() -> quiet.complete(null));
        return CompletableFuture.allOf(quiet, lane.quiet());
    }

    boolean isUp() {
        return standing != null;
    }

    /** Returns whether the link stands, and its end has been heard of so lately that it was not lost unnoticed. */
    boolean isAlive() {
        return standing != null
                && standing.session.isOpen()
                && standing.session.streams() > 0
                && standing.session.isHeard(ALIVE);
    }

    /** Returns whether a link that this broker opened stands. */
    boolean hasOpened() {
        return standing != null && standing.session.isOpener() && standing.session.isOpen();
    }

    boolean isOver(LinkSession session) {
        return standing != null && standing.session == session;
    }

    @Nullable
    LinkSession session() {
        return standing == null ? null : standing.session;
    }

    boolean isActive() {
        return active;
    }

    /** Returns whether the link carries files, to those for whom the neighbour wants them now. */
    boolean isWay() {
        return active && hasSpoken();
    }

    /** Says whether the link carries files; before the first time nothing is told over it. */
    void judge(boolean value) {
        active = value;
        fading = fading && !value;
        if (standing != null) {
            standing.judged = true;
            standing.greeted = standing.greeted && value;
        }
    }

    /**
     * Returns what is to be done as soon as everybody acts on what the other links were told: the neighbour is told that
     * nothing is wanted over this link any more. Empty unless that is due, and for all but the first call then.
     */
    Optional<Runnable> beginToFade() {
        if (standing == null || active || fading || standing.told.isEmpty()) {
            return Optional.empty();
        }
        fading = true;
        long fade = ++fades;
        return Optional.of(() -> faded(fade));
    }

    /** Unless the link has carried files again since. */
    private void faded(long fade) {
        if (fading && fade == fades) {
            fading = false;
            tell(Set.of());
        }
    }

    LinkOutlet outlet() {
        return outlet;
    }

    /** Tells the neighbour what is wanted here; over an idle link nothing is, once it has faded. */
    void tell(Interests interests, Predicate<String> present) {
        if (standing != null && standing.judged) {
            tell(active || fading ? interests.telling(name, present, standing.rights::mayKnow) : Set.of());
        }
    }

    /** Tells the neighbour what it has not been told. */
    private void tell(Set<String> all) {
        Standing now = standing;
        if (now == null) {
            return;
        }
        Set<String> added = new HashSet<>(all);
        added.removeAll(now.told);
        Set<String> removed = new HashSet<>(now.told);
        removed.removeAll(all);
        boolean first = now.toldVersion == 0;
        if (!first && added.isEmpty() && removed.isEmpty()) {
            return;
        }
        now.told = all;
        for (LinkFrame.Wants part : WantsParts.of(now.toldVersion, added, removed)) {
            now.toldVersion = part.version();
            now.session.send(part);
        }
        if (first || active && !now.greeted) {
            now.firstVersion = now.toldVersion;
        }
        now.greeted = active;
    }

    /** Returns the names among these that are known here to be some, and that the neighbour may claim; logs the others. */
    Set<String> permitted(Set<String> names, QuietLog log) {
        Standing now = standing;
        Set<String> permitted = new HashSet<>(names);
        permitted.removeIf(each -> now == null || !Addresses.isQueue(each) || !now.rights.mayKeep(each));
        if (now != null && permitted.size() < names.size()) {
            List<String> others = names.stream()
                    .filter(each -> !permitted.contains(each))
                    .sorted()
                    .toList();
            log.warn(
                    "link-wants " + name,
                    "link from " + name + ": "
                            + now.rights
                                    .user()
                                    .map(user -> "account " + Names.shown(user))
                                    .orElse("it")
                            + " may not have " + others.size() + " of the queues that are wanted there: "
                            + Names.shown(String.join(", ", others)));
        }
        return permitted;
    }

    /** Returns how many names are gathered. */
    int gathered() {
        return standing == null ? 0 : standing.gathered.size();
    }

    /**
     * Gathers what the neighbour says at first, in several parts; returns everything once the last one is there, and until
     * then nothing.
     */
    Optional<Set<String>> gather(Set<String> part, boolean last) {
        if (standing == null) {
            return Optional.empty();
        }
        standing.gathered.addAll(part);
        if (!last) {
            return Optional.empty();
        }
        Set<String> all = Set.copyOf(standing.gathered);
        standing.gathered.clear();
        return Optional.of(all);
    }

    boolean hasSpoken() {
        return standing != null && standing.heard;
    }

    /** The neighbour has said what it wants; from the first time on it takes messages. */
    void heard() throws Exception {
        Standing now = standing;
        if (now != null && !now.heard) {
            now.heard = true;
            outgoing.hold(address -> !now.rights.mayKeep(address));
            outlet.attach(now.session);
        }
    }

    void known(long version) {
        if (standing != null) {
            standing.knownVersion = Math.max(standing.knownVersion, Math.min(version, standing.toldVersion));
        }
    }

    /** What the neighbour has been told over a session, up to a version. */
    record Told(LinkSession session, long version) {}

    /** Returns what the neighbour has been told up to now; empty while the link is down. */
    Optional<Told> told() {
        return Optional.ofNullable(standing).map(now -> new Told(now.session, now.toldVersion));
    }

    /** Returns whether the neighbour, if its link stands, acts on that, or on all that a newer session told it instead. */
    boolean actsOn(Told told) {
        return isGreeted() && (!isOver(told.session()) || isKnown(told.version()));
    }

    /** Returns whether the neighbour, if its link carries files, acts on what it was told up to a version. */
    private boolean isKnown(long version) {
        return standing == null || !active || standing.knownVersion >= version;
    }

    /** Returns whether the neighbour, if its link stands, acts on what it was told when that began to carry files. */
    boolean isGreeted() {
        return standing == null || standing.toldVersion > 0 && isKnown(standing.firstVersion);
    }

    /** Answers that everybody beyond this broker acts on what the neighbour said over a session, if that still stands. */
    void answer(LinkSession session, long version) {
        Standing now = standing;
        if (now != null && now.session == session && now.answeredVersion < version) {
            now.answeredVersion = version;
            session.send(new LinkFrame.Known(version));
        }
    }

    private long silentMillis(long nowNs) {
        Standing now = standing;
        if (now == null) {
            return 0;
        }
        now.session.silentNanos().ifPresent(silent -> now.heardNs = nowNs - silent);
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNs - now.heardNs));
    }

    /** Returns what this broker tells about the link. */
    BrokerReport.LinkReport report(long nowNs) {
        int streams = standing == null ? 0 : standing.session.streams();
        return meter.report(
                new LinkMeter.State(name, isUp(), active, streams, silentMillis(nowNs)),
                outlet.figures(),
                lane.figures(),
                nowNs);
    }
}
