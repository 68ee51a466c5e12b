package io.longhaul.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.doctor.Finding.State;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.BrokerReport.FailingLink;
import io.longhaul.wire.BrokerReport.LinkReport;
import io.longhaul.wire.NetworkAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkChecksTest {
    private static final long NOW = 1_700_000_000_000L;

    private static LinkReport link(String peer, boolean up, boolean active, long backlogFrames, long sentPerSecond) {
        return link(peer, up, active, backlogFrames, sentPerSecond, 0);
    }

    private static LinkReport link(
            String peer, boolean up, boolean active, long backlogFrames, long sentPerSecond, long silentMillis) {
        long bytes = 1000 * backlogFrames;
        return new LinkReport(
                peer,
                up,
                active,
                up ? 4 : 0,
                0,
                0,
                0,
                0,
                0,
                sentPerSecond,
                0,
                backlogFrames,
                bytes,
                0,
                0,
                silentMillis);
    }

    private static BrokerReport report(String broker, long millis, LinkReport... links) {
        return new BrokerReport(broker, millis, 0, 0, List.of(links), List.of());
    }

    /** Returns what is found of the one link of the hub. */
    private static List<Finding> found(LinkReport link, BrokerReport... others) {
        List<BrokerReport> all = new java.util.ArrayList<>(List.of(others));
        all.add(report("hub", NOW, link));
        List<Finding> findings = LinkChecks.of(new NetworkAnswer("hub", all));
        assertThat(findings.get(0).state()).isEqualTo(State.OK);
        return findings.subList(1, findings.size());
    }

    @Test
    void shouldSayThatALinkStandsWhenBothEndsSaySo() {
        // given
        BrokerReport leaf = report("leaf", NOW + 3000, link("hub", true, true, 0, 0));

        // when, then
        assertThat(found(link("leaf", true, true, 3, 100), leaf))
                .singleElement()
                .satisfies(finding -> assertThat(finding.state()).isEqualTo(State.OK))
                .satisfies(finding ->
                        assertThat(finding.found()).isEqualTo("hub - leaf: up, 4 streams, 3 frames (3000 bytes) wait"));
        assertThat(found(link("leaf", true, false, 0, 0), leaf))
                .singleElement()
                .satisfies(finding -> assertThat(finding.found()).contains("idle"));
    }

    @Test
    void shouldFailWhenALinkHasNeverStood() {
        // given
        FailingLink failing = new FailingLink("leaf:7400", "unreachable", "leaf:7400: Connection refused");
        BrokerReport hub = new BrokerReport("hub", NOW, 0, 0, List.of(), List.of(failing));

        // when
        List<Finding> findings = LinkChecks.of(new NetworkAnswer("hub", List.of(hub)));

        // then
        assertThat(findings).hasSize(2);
        assertThat(findings.get(1).state()).isEqualTo(State.FAILED);
        assertThat(findings.get(1).found()).contains("hub - ", "leaf:7400", "not linked", "Connection refused");
    }

    @Test
    void shouldFailWhenALinkIsDownAndSayWhatWaits() {
        assertThat(found(link("leaf", false, false, 2, 0)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.state()).isEqualTo(State.FAILED))
                .satisfies(finding -> assertThat(finding.found()).contains("down, 2 frames (2000 bytes) wait"))
                .satisfies(finding -> assertThat(finding.advice()).contains("topology remove leaf"));
    }

    /** Nothing of it moves, and nothing is wrong with the link. */
    @Test
    void shouldSayWhatIsHeldBesideWhatWaits() {
        // given
        BrokerReport leaf = report("leaf", NOW, link("hub", true, true, 0, 0));
        LinkReport held = new LinkReport("leaf", true, true, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2048, 0);

        // when, then
        assertThat(found(held, leaf))
                .singleElement()
                .satisfies(finding -> assertThat(finding.state()).isEqualTo(State.OK))
                .satisfies(finding -> assertThat(finding.found())
                        .endsWith("4 streams, 2 frames (2.0 KiB) held, which leaf may not have any more"));
    }

    @Test
    void shouldFailWhenNothingIsHeardOfTheOtherEnd() {
        // given
        BrokerReport leaf = report("leaf", NOW, link("hub", true, true, 0, 0));

        // when, then
        assertThat(found(link("leaf", true, true, 2, 100, 9_400), leaf))
                .singleElement()
                .satisfies(finding -> assertThat(finding.state()).isEqualTo(State.FAILED))
                .satisfies(finding -> assertThat(finding.found())
                        .isEqualTo(
                                "hub - leaf: up, but nothing was heard of leaf for 9 s, 2 frames (2000 bytes) wait"));
        assertThat(found(link("leaf", true, true, 0, 0, 2_000), leaf))
                .extracting(Finding::state)
                .containsExactly(State.OK);
    }

    @Test
    void shouldWarnWhenALinkStandsOnOneSideOnlyOrNothingMoves() {
        // given
        BrokerReport leaf = report("leaf", NOW, link("hub", true, true, 0, 0));
        BrokerReport blind = report("leaf", NOW, link("hub", false, false, 0, 0));

        // when, then
        assertThat(found(link("leaf", true, true, 0, 0), blind))
                .extracting(Finding::state)
                .containsExactly(State.WARNING);
        assertThat(found(link("leaf", true, true, 0, 0)))
                .extracting(Finding::state)
                .containsExactly(State.WARNING);
        assertThat(found(link("leaf", true, true, 5, 0), leaf))
                .extracting(Finding::state)
                .containsExactly(State.WARNING);
    }

    @Test
    void shouldWarnWhenClocksDiffer() {
        // given
        BrokerReport late = report("leaf", NOW - 60_000, link("hub", true, true, 0, 0));

        // when, then
        assertThat(found(link("leaf", true, true, 0, 0), late))
                .last()
                .satisfies(finding -> assertThat(finding.check()).isEqualTo("link-clock"))
                .satisfies(finding ->
                        assertThat(finding.found()).isEqualTo("the clock of leaf is about 60 s behind that of hub"));
    }
}
