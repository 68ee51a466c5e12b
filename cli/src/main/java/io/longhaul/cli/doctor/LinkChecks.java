package io.longhaul.cli.doctor;

import io.longhaul.cli.terminal.Amounts;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.BrokerReport.FailingLink;
import io.longhaul.wire.BrokerReport.LinkReport;
import io.longhaul.wire.Names;
import io.longhaul.wire.NetworkAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The links of a broker, and the clocks at their other ends, as the broker reports them. Pure. */
public final class LinkChecks {
    /** Reports are up to 2 s old, and as long on their way as links are slow. */
    private static final Duration MOST_SKEW = Duration.ofSeconds(10);

    /** The other end of a link says something every second; a machine that is busy for a moment is none that stands still. */
    private static final Duration MOST_SILENCE = Duration.ofSeconds(4);

    private LinkChecks() {}

    /** Returns whether nothing was heard of the other end for so long that it stands still, or is cut off. */
    public static boolean isSilent(LinkReport link) {
        return link.up() && link.silentMillis() > MOST_SILENCE.toMillis();
    }

    /** Returns what is said of frames that wait and are not sent; nothing where there are none. */
    public static String held(LinkReport link) {
        return link.heldFrames() == 0
                ? ""
                : ", " + Amounts.count(link.heldFrames(), "frame") + " (" + Amounts.bytes(link.heldBytes())
                        + ") held, which " + link.peer() + " may not have any more";
    }

    /** Looks at all links of the broker that was asked. */
    public static List<Finding> of(NetworkAnswer answer) {
        Map<String, BrokerReport> reports = new HashMap<>();
        answer.brokers().forEach(report -> reports.put(report.broker(), report));
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok(
                "network", "broker " + answer.asked() + " answers, and hears of " + (reports.size() - 1) + " others"));
        BrokerReport own = reports.get(answer.asked());
        for (FailingLink link : own == null ? List.<FailingLink>of() : own.failing()) {
            findings.add(failing(answer.asked(), link));
        }
        for (LinkReport link : own == null ? List.<LinkReport>of() : own.links()) {
            Optional<BrokerReport> peer = Optional.ofNullable(reports.get(link.peer()));
            findings.add(link(answer.asked(), link, peer));
            if (own != null && peer.isPresent()) {
                clock(own, peer.get()).ifPresent(findings::add);
            }
        }
        return findings;
    }

    private static Finding failing(String asked, FailingLink link) {
        String found = asked + " - " + Names.shown(link.to()) + ": not linked: " + Names.shown(link.reason());
        return switch (link.kind()) {
            case "later" -> Finding.warning("link", found, "look again in some seconds");
            case "unreachable" ->
                Finding.failed("link", found, "look whether a broker runs there, and at the address that --link has");
            case "same-name" ->
                Finding.failed(
                        "link",
                        asked + " - " + Names.shown(link.to()) + ": " + Names.shown(link.reason()),
                        "give each broker of the network a name of its own");
            default -> Finding.failed("link", found, "see to what the other broker objects to, here or there");
        };
    }

    private static Finding link(String asked, LinkReport link, Optional<BrokerReport> peer) {
        String name = asked + " - " + link.peer() + ": ";
        String waiting = (link.backlogFrames() == 0
                        ? ""
                        : ", " + link.backlogFrames() + " frames (" + link.backlogBytes() + " bytes) wait")
                + held(link);
        if (!link.up()) {
            return Finding.failed(
                    "link",
                    name + "down" + waiting,
                    "look whether " + link.peer()
                            + " runs, and at the log of the side that opens the link ('not yet: ...':"
                            + " address, TLS, account); if it is gone for good: longhaul topology remove "
                            + link.peer());
        }
        if (isSilent(link)) {
            return Finding.failed(
                    "link",
                    name + "up, but nothing was heard of " + link.peer() + " for " + link.silentMillis() / 1000 + " s"
                            + waiting,
                    "look whether the process of " + link.peer() + " runs or stands still (kill -CONT), and at the way"
                            + " between; after some 15 s the link is given up and opened again");
        }
        boolean twoSided = peer.map(report ->
                        report.links().stream().anyMatch(end -> end.peer().equals(asked) && end.up()))
                .orElse(false);
        if (!twoSided) {
            return Finding.warning(
                    "link",
                    name + "up, but " + link.peer() + " does not report it" + waiting,
                    "look again in some seconds; then at the log of " + link.peer());
        }
        if (link.backlogFrames() > 0 && link.sentPerSecond() == 0) {
            return Finding.warning(
                    "link",
                    name + "up, but nothing moves" + waiting,
                    "look whether " + link.peer() + " has disk space (its /ready), and at the way between");
        }
        return Finding.ok(
                "link",
                name + (link.active() ? "up" : "idle, another way carries files") + ", "
                        + Amounts.count(link.streams(), "stream") + waiting);
    }

    /** A report's number is the time of its broker. */
    private static Optional<Finding> clock(BrokerReport own, BrokerReport peer) {
        Duration skew = Duration.ofMillis(peer.sequence() - own.sequence());
        return skew.abs().compareTo(MOST_SKEW) <= 0
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        "link-clock",
                        "the clock of " + peer.broker() + " is about "
                                + skew.abs().toSeconds() + " s " + (skew.isNegative() ? "behind" : "ahead of")
                                + " that of " + own.broker(),
                        "run a time service on both machines: times of receipts and of logs are not to be compared; of a"
                                + " clock that was set back this is said until its broker is started anew"));
    }
}
