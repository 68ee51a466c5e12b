package io.longhaul.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerRole;
import io.longhaul.broker.BrokerSnapshot;
import io.longhaul.broker.BrokerSnapshot.SubscriptionSnapshot;
import io.longhaul.broker.limits.QuotaFigures;
import io.longhaul.wire.BrokerReport.FailingLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BrokerMetersTest {
    private static final SubscriptionSnapshot FAST = new SubscriptionSnapshot("t", "fast", true, 1, 10, 40, 0, 0);
    private static final SubscriptionSnapshot DEAD = new SubscriptionSnapshot("t", "dead", false, 2, 30, 5, 3, 300);
    private static final BrokerSnapshot.LinkSnapshot LINK =
            new BrokerSnapshot.LinkSnapshot("hub", true, false, 11, 12, 13, 14, 15, 16, 17, 20, 21, 18, 19);

    private static final FailingLink FAILING = new FailingLink("h:7400", "login", "wrong password");

    private static final QuotaFigures QUOTA = new QuotaFigures("user ann", 21, 22, 23);

    private static final BrokerSnapshot.UntakenSnapshot UNTAKEN = new BrokerSnapshot.UntakenSnapshot(24, 25);

    private final BrokerMeters meters =
            BrokerMeters.of(BrokerConfig.of("one", Path.of("data")).withBacklogLimit(64 << 20));

    private static BrokerSnapshot snapshot(List<SubscriptionSnapshot> subscriptions) {
        return snapshot(subscriptions, List.of(LINK), List.of(FAILING));
    }

    private static BrokerSnapshot snapshot(
            List<SubscriptionSnapshot> subscriptions,
            List<BrokerSnapshot.LinkSnapshot> links,
            List<FailingLink> failing) {
        return snapshot(subscriptions, links, failing, List.of(QUOTA));
    }

    private static BrokerSnapshot snapshot(
            List<SubscriptionSnapshot> subscriptions,
            List<BrokerSnapshot.LinkSnapshot> links,
            List<FailingLink> failing,
            List<QuotaFigures> quotas) {
        return new BrokerSnapshot(
                7, 7000, 2, true, 100, 200, subscriptions, links, failing, quotas, UNTAKEN, BrokerRole.SINGLE);
    }

    private Set<String> scrape(SubscriptionSnapshot... subscriptions) {
        return scrape(snapshot(List.of(subscriptions)));
    }

    private Set<String> scrape(BrokerSnapshot snapshot) {
        return meters.scrape(Phase.RUNNING, Optional.of(snapshot)).lines().collect(Collectors.toSet());
    }

    @Test
    void shouldTellOfALinkWhenThereIsOne() {
        assertThat(scrape(FAST))
                .contains(
                        "longhaul_link_up{broker=\"one\",peer=\"hub\"} 1.0",
                        "longhaul_link_active{broker=\"one\",peer=\"hub\"} 0.0",
                        "longhaul_link_sent_bytes_total{broker=\"one\",peer=\"hub\"} 12.0",
                        "longhaul_link_resent_frames_total{broker=\"one\",peer=\"hub\"} 13.0",
                        "longhaul_link_received_frames_total{broker=\"one\",peer=\"hub\"} 14.0",
                        "longhaul_link_backlog_bytes{broker=\"one\",peer=\"hub\"} 17.0",
                        "longhaul_link_held_frames{broker=\"one\",peer=\"hub\"} 20.0",
                        "longhaul_link_held_bytes{broker=\"one\",peer=\"hub\"} 21.0",
                        "longhaul_link_dropped_pieces_total{broker=\"one\",peer=\"hub\"} 18.0",
                        "longhaul_link_dropped_bytes_total{broker=\"one\",peer=\"hub\"} 19.0");
    }

    @Test
    void shouldTellOfALinkThatFailsUntilItStands() {
        // given
        String series = "longhaul_link_failing{broker=\"one\",kind=\"login\",to=\"h:7400\"} 1.0";

        // when
        Set<String> before = scrape(FAST);
        Set<String> after = scrape(snapshot(List.of(FAST), List.of(LINK), List.of()));

        // then
        assertThat(before).contains(series);
        assertThat(after).noneMatch(line -> line.startsWith("longhaul_link_failing"));
    }

    @Test
    void shouldForgetALinkWhoseSiteIsTakenOutUntilItComesBack() {
        // given
        scrape(FAST);

        // when
        Set<String> without = scrape(snapshot(List.of(FAST), List.of(), List.of()));
        Set<String> back = scrape(FAST);

        // then
        assertThat(without).noneMatch(line -> line.startsWith("longhaul_link_"));
        assertThat(back).contains("longhaul_link_up{broker=\"one\",peer=\"hub\"} 1.0");
    }

    @Test
    void shouldTellOfALimitWhenThereIsOne() {
        assertThat(scrape(FAST))
                .contains(
                        "longhaul_limit_delayed_frames_total{broker=\"one\",limit=\"user ann\"} 21.0",
                        "longhaul_limit_refused_transfers_total{broker=\"one\",limit=\"user ann\"} 22.0",
                        "longhaul_limit_open_transfers{broker=\"one\",limit=\"user ann\"} 23.0");
    }

    /** Or the transfers that were open then would be for ever. */
    @Test
    void shouldForgetALimitThatIsGone() {
        // given
        scrape(FAST);

        // when
        Set<String> without = scrape(snapshot(List.of(FAST), List.of(LINK), List.of(), List.of()));

        // then
        assertThat(without).noneMatch(line -> line.startsWith("longhaul_limit_"));
    }

    @Test
    void shouldTellWhatWasCountedWhenSnapshotIsThere() {
        // when
        Set<String> lines = scrape(FAST, DEAD);

        // then
        assertThat(lines)
                .contains(
                        "longhaul_running{broker=\"one\"} 1.0",
                        "longhaul_taken_frames_total{broker=\"one\"} 7.0",
                        "longhaul_taken_bytes_total{broker=\"one\"} 7000.0",
                        "longhaul_refused_frames_total{broker=\"one\"} 2.0",
                        "longhaul_intake_paused{broker=\"one\"} 1.0",
                        "longhaul_disk_free_bytes{broker=\"one\"} 100.0",
                        "longhaul_disk_floor_bytes{broker=\"one\"} 200.0",
                        "longhaul_subscriptions{broker=\"one\"} 2.0",
                        "longhaul_subscriptions_unlisted{broker=\"one\"} 0.0",
                        "longhaul_backlog_frames{broker=\"one\"} 3.0",
                        "longhaul_backlog_bytes{broker=\"one\"} 40.0",
                        "longhaul_backlog_limit_bytes{broker=\"one\"} 6.7108864E7",
                        "longhaul_receipts_untaken_bytes{broker=\"one\"} 24.0",
                        "longhaul_receipts_dropped_total{broker=\"one\"} 25.0");
    }

    @Test
    void shouldTellOfEachSubscriptionWhenThereAreFew() {
        // given
        String labels = "{broker=\"one\",subscription=\"dead\",topic=\"t\"} ";

        // when
        Set<String> lines = scrape(FAST, DEAD);

        // then
        assertThat(lines)
                .contains(
                        "longhaul_subscription_backlog_frames" + labels + "2.0",
                        "longhaul_subscription_backlog_bytes" + labels + "30.0",
                        "longhaul_subscription_connected" + labels + "0.0",
                        "longhaul_subscription_finished_frames_total" + labels + "5.0",
                        "longhaul_subscription_dropped_pieces_total" + labels + "3.0",
                        "longhaul_subscription_dropped_bytes_total" + labels + "300.0",
                        "longhaul_subscription_connected{broker=\"one\",subscription=\"fast\",topic=\"t\"} 1.0");
    }

    @Test
    void shouldFollowWhenSubscriptionsChangeComeAndGo() {
        // given
        scrape(FAST, DEAD);

        // when
        Set<String> lines = scrape(
                new SubscriptionSnapshot("t", "dead", true, 0, 0, 9, 3, 300),
                new SubscriptionSnapshot("u", "new", false, 0, 0, 0, 0, 0));

        // then
        assertThat(lines)
                .contains(
                        "longhaul_subscription_connected{broker=\"one\",subscription=\"dead\",topic=\"t\"} 1.0",
                        "longhaul_subscription_finished_frames_total{broker=\"one\",subscription=\"dead\",topic=\"t\"} 9.0",
                        "longhaul_subscription_connected{broker=\"one\",subscription=\"new\",topic=\"u\"} 0.0")
                .noneMatch(line -> line.contains("\"fast\""));

        // when
        lines = scrape();

        // then
        assertThat(lines)
                .contains("longhaul_subscriptions{broker=\"one\"} 0.0")
                .noneMatch(line -> line.contains("longhaul_subscription_"));
    }

    @Test
    void shouldTellOfThoseWithTheMostBacklogWhenThereAreTooMany() {
        // given
        int all = SubscriptionMeters.MOST + 10;
        List<SubscriptionSnapshot> many = IntStream.range(0, all)
                .mapToObj(i -> new SubscriptionSnapshot("t", "s" + i, true, i, i, 0, 0, 0))
                .toList();

        // when
        Set<String> lines = scrape(snapshot(many));

        // then
        assertThat(lines.stream().filter(line -> line.startsWith("longhaul_subscription_connected{")))
                .hasSize(SubscriptionMeters.MOST)
                .noneMatch(line -> line.contains("\"s9\""))
                .anyMatch(line -> line.contains("\"s10\""));
        assertThat(lines)
                .contains(
                        "longhaul_subscriptions{broker=\"one\"} " + (double) all,
                        "longhaul_subscriptions_unlisted{broker=\"one\"} 10.0",
                        "longhaul_backlog_frames{broker=\"one\"} " + all * (all - 1) / 2.0);
    }

    @Test
    void shouldSayOnlyThatItStartsWhenThereIsNoSnapshotYet() {
        // when
        String text = meters.scrape(Phase.STARTING, Optional.empty());

        // then
        assertThat(text)
                .contains("longhaul_running{broker=\"one\"} 0.0")
                .contains("longhaul_jvm_heap_used_bytes{broker=\"one\"}")
                .doesNotContain("longhaul_disk", "longhaul_intake", "longhaul_taken");
    }

    @Test
    void shouldKeepTheFiguresWhenBrokerHasFailed() {
        // given
        scrape(FAST);

        // when
        String text = meters.scrape(Phase.FAILED, Optional.empty());

        // then
        assertThat(text)
                .contains("longhaul_running{broker=\"one\"} 0.0")
                .contains("longhaul_taken_frames_total{broker=\"one\"} 7.0");
    }

    @Test
    void shouldHaveTypeAndHelpAndDocumentationForEveryName() throws IOException {
        // given
        String documentation = Files.readString(Path.of("../docs/operations.md"));

        // when
        String text = meters.scrape(Phase.RUNNING, Optional.of(snapshot(List.of(DEAD))));

        // then
        Set<String> names = text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf('{')))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(names)
                .allSatisfy(name -> assertThat(text)
                        .containsPattern("(?m)^# TYPE " + name + " (counter|gauge)$")
                        .containsPattern("(?m)^# HELP " + name + " [A-Z0-9].{5,}$"));
        Set<String> documented = Pattern.compile("longhaul_[a-z_]+")
                .matcher(documentation)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(names);
    }
}
