package io.longhaul.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerRole;
import io.longhaul.broker.BrokerSnapshot;
import io.longhaul.broker.http.Page;
import io.longhaul.wire.BrokerReport.FailingLink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BrokerPagesTest {
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicBoolean paused = new AtomicBoolean();
    private final BrokerPages pages = new BrokerPages(BrokerConfig.of("one", Path.of("/srv/\"data\"")));

    private final List<FailingLink> failing = new ArrayList<>();
    private BrokerRole role = BrokerRole.SINGLE;

    private void watch() {
        watch(pages);
    }

    private void watch(BrokerPages watching) {
        watching.watch(
                running::get,
                () -> new BrokerSnapshot(
                        1,
                        2,
                        3,
                        paused.get(),
                        50,
                        60,
                        List.of(),
                        List.of(),
                        failing,
                        List.of(),
                        new BrokerSnapshot.UntakenSnapshot(0, 0),
                        role));
    }

    private String page(int status, String path) {
        return page(pages, status, path);
    }

    private static String page(BrokerPages of, int status, String path) {
        Page page = of.page(path).orElseThrow();
        assertThat(page.status()).as(page.body()).isEqualTo(status);
        return page.body();
    }

    @Test
    void shouldBeHealthyAndReadyWhenBrokerTakesFrames() {
        // given
        watch();

        // then
        assertThat(page(200, "/health")).isEqualTo("{\"broker\":\"one\",\"state\":\"running\"}\n");
        assertThat(page(200, "/ready")).isEqualTo("{\"broker\":\"one\",\"state\":\"ready\"}\n");
        assertThat(page(200, "/metrics")).contains("longhaul_running{broker=\"one\"} 1.0");
    }

    @Test
    void shouldBeHealthyAndNotReadyWhenDiskIsAtItsFloor() {
        // given
        watch();
        paused.set(true);

        // then
        assertThat(page(200, "/health")).contains("running");
        assertThat(page(503, "/ready"))
                .isEqualTo(
                        "{\"broker\":\"one\",\"state\":\"paused\",\"reason\":\"disk of /srv/\\\"data\\\": needed 60 bytes"
                                + " free, found 50\",\"path\":\"/srv/\\\"data\\\"\",\"needed\":60,\"free\":50}\n");
    }

    @Test
    void shouldBeReadyAndNameTheLinksThatFail() {
        // given
        watch();
        failing.add(new FailingLink("hub:7400", "login", "unknown user or wrong password"));

        // then
        assertThat(page(200, "/ready"))
                .isEqualTo(
                        "{\"broker\":\"one\",\"state\":\"ready\",\"failingLinks\":[{\"to\":\"hub:7400\",\"kind\":\"login\","
                                + "\"reason\":\"unknown user or wrong password\"}]}\n");
    }

    private BrokerPages pagesOfBackup(Optional<String> witness) {
        BrokerPages backup = new BrokerPages(BrokerConfig.of("one", Path.of("/srv/b"))
                .withPair(new BrokerConfig.Pairing("127.0.0.1:7400", true, witness, false)));
        watch(backup);
        return backup;
    }

    @Test
    void shouldSayWhoMakesABackupTakeOver() {
        // given
        role = BrokerRole.BACKUP;

        // then
        assertThat(page(pagesOfBackup(Optional.of("127.0.0.1:7401")), 503, "/ready"))
                .contains("\"state\":\"backup\"", "in sync; it takes over when the witness agrees");
        assertThat(page(pagesOfBackup(Optional.empty()), 503, "/ready"))
                .contains("\"state\":\"backup\"", "operator's word only (--take-over), as there is no witness");
    }

    @Test
    void shouldSayWhyABackupWithoutWitnessThatHasLostItsPrimaryIsNotReady() {
        // given
        role = BrokerRole.COPYING;

        // then
        assertThat(page(pagesOfBackup(Optional.of("127.0.0.1:7401")), 503, "/ready"))
                .contains("\"state\":\"copying\"", "finds nobody to copy from\"");
        assertThat(page(pagesOfBackup(Optional.empty()), 503, "/ready"))
                .contains("\"state\":\"copying\"", "finds nobody to copy from; it takes over on the operator's word");
    }

    @Test
    void shouldSayThatNobodyHasDecidedYetWhichOneOfAPairLives() {
        // given
        role = BrokerRole.STARTING;

        // then
        assertThat(page(pagesOfBackup(Optional.empty()), 503, "/ready"))
                .contains("\"state\":\"starting\"", "not decided which one of its pair lives");
    }

    @Test
    void shouldSayThatItStartsWhenOneOfAPairIsBetweenTwoLives() {
        // given
        watch();
        running.set(false);
        role = BrokerRole.OVER;

        // then
        assertThat(page(503, "/health")).contains("\"state\":\"starting\"");
        assertThat(page(503, "/ready")).contains("\"state\":\"starting\"");
        assertThat(page(200, "/metrics")).contains("longhaul_running{broker=\"one\"} 0.0");
    }

    @Test
    void shouldSayThatItStartsWhenNoBrokerIsThereYet() {
        // then
        assertThat(page(503, "/health")).contains("\"state\":\"starting\"", "\"reason\":\"it loads what is in /srv/");
        assertThat(page(503, "/ready")).contains("\"state\":\"starting\"");
        assertThat(page(200, "/metrics")).contains("longhaul_running{broker=\"one\"} 0.0");
    }

    @Test
    void shouldSayThatItFailedWhenBrokerStoppedByItself() {
        // given
        watch();
        running.set(false);

        // then
        assertThat(page(503, "/health")).contains("\"state\":\"failed\"", "its disk failed");
        assertThat(page(503, "/ready")).contains("\"state\":\"failed\"");
        assertThat(page(200, "/metrics")).contains("longhaul_running{broker=\"one\"} 0.0");
    }

    @Test
    void shouldSayThatItStopsWhenBrokerWasAskedToEnd() {
        // given
        watch();
        pages.stopping();

        // then
        assertThat(page(503, "/health")).contains("\"state\":\"stopping\"");
        assertThat(page(503, "/ready")).contains("\"state\":\"stopping\"");
    }

    @Test
    void shouldHaveNoOtherPages() {
        // then
        assertThat(pages.page("/")).isEmpty();
        assertThat(pages.page("/metrics/")).isEmpty();
        assertThat(pages.page("")).isEmpty();
    }
}
