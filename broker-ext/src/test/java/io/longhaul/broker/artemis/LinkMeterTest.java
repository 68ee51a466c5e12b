package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.BrokerReport;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkMeterTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final LinkMeter meter = new LinkMeter();

    private BrokerReport.LinkReport report(long sent, long received, long nowNs) {
        return meter.report(
                new LinkMeter.State("hub", true, true, 4, 7),
                new LinkOutlet.Figures(1, sent, 0, new LinkOutlet.Waiting(0, 0), new LinkOutlet.Waiting(0, 0)),
                new LinkInlet.Figures(2, received),
                nowNs);
    }

    /** A clock of nanoseconds begins anywhere, also below zero. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -3_000_000_000L, 0, Long.MAX_VALUE - 1})
    void shouldTellRatesSinceTheLastReportWhereverTheClockBegins(long startNs) {
        // given
        report(1_000, 100, startNs);

        // when
        BrokerReport.LinkReport report = report(5_000, 300, startNs + 2 * SECOND_NS);

        // then
        assertThat(report.sentPerSecond()).isEqualTo(2_000);
        assertThat(report.receivedPerSecond()).isEqualTo(100);
        assertThat(report.sentBytes()).isEqualTo(5_000);
        assertThat(report.receivedBytes()).isEqualTo(300);
        assertThat(report.silentMillis()).isEqualTo(7);
    }

    @Test
    void shouldTellTheRateBeforeWhenAReportFollowsAtOnce() {
        // given
        report(0, 0, 0);
        report(8_000, 0, SECOND_NS);

        // when
        BrokerReport.LinkReport soon = report(8_500, 0, SECOND_NS + SECOND_NS / 2);
        BrokerReport.LinkReport later = report(9_000, 0, 2 * SECOND_NS);

        // then
        assertThat(soon.sentPerSecond()).isEqualTo(8_000);
        assertThat(later.sentPerSecond()).isEqualTo(1_000);
    }
}
