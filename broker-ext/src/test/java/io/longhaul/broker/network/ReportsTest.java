package io.longhaul.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.network.SpanningTree.Edge;
import io.longhaul.wire.BrokerReport;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReportsTest {
    private final Reports reports = new Reports(100);

    private static BrokerReport report(String broker, long sequence, String... up) {
        return new BrokerReport(
                broker,
                sequence,
                0,
                0,
                Arrays.stream(up)
                        .map(peer ->
                                new BrokerReport.LinkReport(peer, true, true, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                        .toList(),
                List.of());
    }

    @Test
    void shouldCountALinkOnlyWhenBothEndsSayThatItStands() {
        // given
        reports.take(report("a", 1, "b", "c"), 0);
        reports.take(report("b", 1, "a"), 0);
        reports.take(report("c", 1), 0);

        // then
        assertThat(reports.standing()).containsExactly(new Edge("a", "b"));
    }

    @Test
    void shouldIgnoreAReportWhenANewerOneWasHeard() {
        // given
        reports.take(report("a", 2, "b"), 0);

        // then
        assertThat(reports.take(report("a", 1), 0)).isFalse();
        assertThat(reports.take(report("a", 2), 0)).isFalse();
        assertThat(reports.take(report("a", 3), 0)).isTrue();
    }

    @Test
    void shouldForgetABrokerWhenItIsNotHeardForLong() {
        // given
        reports.take(report("a", 1), 0);
        reports.take(report("b", 1), 60);

        // when
        boolean any = reports.expire(101);

        // then
        assertThat(any).isTrue();
        assertThat(reports.all()).extracting(BrokerReport::broker).containsExactly("b");
    }

    @Test
    void shouldKnowWhoIsOnThisSideOfOthers() {
        // given
        reports.take(report("hub", 1, "a", "way"), 0);
        reports.take(report("a", 1, "b", "hub"), 0);
        reports.take(report("b", 1, "a"), 0);
        reports.take(report("way", 1, "beyond", "hub"), 0);
        reports.take(report("beyond", 1, "way"), 0);

        // then
        assertThat(reports.near("hub", Set.of("way"))).containsExactlyInAnyOrder("hub", "a", "b");
    }

    @Test
    void shouldReachOnlyTheOwnPartWhenTheNetworkHasFallenApart() {
        assertThat(Reports.reachable("a", Set.of(new Edge("a", "b"), new Edge("c", "d"))))
                .containsExactlyInAnyOrder("a", "b");
    }
}
