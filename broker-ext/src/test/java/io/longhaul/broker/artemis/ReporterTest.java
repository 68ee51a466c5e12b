package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.network.Interests;
import io.longhaul.wire.BrokerReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReporterTest {
    @TempDir
    Path directory;

    private final List<String> lines = new ArrayList<>();
    private long seconds = 100;
    private OrderClock order;
    private Reporter reporter;

    @BeforeEach
    void begin() throws IOException {
        order = OrderClock.open(directory, Clock.systemUTC());
        QuietLog log = new QuietLog(RecordedLog.into(lines), this::nanos);
        reporter = new Reporter(
                new Network.Parts(
                        null,
                        new LinkInlet.Places(
                                null, new Intake(null, order, null), null, Optional.empty(), null, null, "hub", log),
                        0,
                        null,
                        this::nanos,
                        () -> TimeUnit.SECONDS.toMillis(seconds)),
                new Interests(),
                Map.of());
        reporter.report();
    }

    private long nanos() {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Takes what a neighbour passes on as this broker's own report, and for how many seconds it goes on to do so. */
    private void told(long number, int forSeconds) {
        for (int i = 0; i <= forSeconds; i += 2) {
            reporter.take("leaf", new BrokerReport("hub", number + i, 0, 0, List.of(), List.of()));
            seconds += 2;
        }
    }

    /** The clocks of a pair are not the same. */
    @Test
    void shouldSayNothingWhenTheOtherOneOfAPairHasReportedBeforeItWasLost() {
        // when
        told(200_001, 8);
        seconds += 60;
        told(300_001, 8);

        // then
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldSayNothingWhenItsOwnWordComesBackInAMesh() {
        // when
        for (int i = 0; i < 10; i++) {
            reporter.report();
            reporter.take("leaf", reporter.own());
            seconds += 2;
        }

        // then
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldSaySoWhenAnotherBrokerOfItsNameGoesOnToReport() {
        // when
        told(200_001, 14);

        // then
        assertThat(lines).singleElement().asString().contains("another broker of the network has the name hub");
        reporter.report();
        assertThat(reporter.own().failing())
                .singleElement()
                .satisfies(link -> assertThat(link.kind()).isEqualTo("same-name"))
                .satisfies(link -> assertThat(link.to()).isEqualTo("leaf"));

        // when
        seconds += 60;
        reporter.report();

        // then
        assertThat(reporter.own().failing()).isEmpty();
    }

    /** What others have heard of it before its start counts longer than the clock that was set back since. */
    @Test
    void shouldReportWhatIsNewerThanWhatOthersTellOfIt() {
        // given
        told(200_001, 0);

        // when
        reporter.report();

        // then
        assertThat(reporter.own().sequence()).isGreaterThan(200_001);
    }

    @Test
    void shouldTakeTheReportWhenTheDiskIsFull() throws IOException {
        // given
        Files.createDirectories(directory.resolve("order").resolve("in the way"));
        long ahead = (System.currentTimeMillis() + 600_000) * 1024;

        // when
        boolean news = reporter.take("leaf", new BrokerReport("far", 1, 0, 0, List.of(), List.of(), 0, ahead));

        // then
        assertThat(news).isTrue();
        assertThat(lines).singleElement().asString().contains("the order that broker far tells of is not noted");
    }

    /** A publisher may come here next, with a file that nobody behind this broker wanted before. */
    @Test
    void shouldGoAboveTheOrderThatAnotherBrokerTellsOf() {
        // given
        long ahead = (System.currentTimeMillis() + 600_000) * 1024;

        // when
        reporter.take("leaf", new BrokerReport("far", 1, 0, 0, List.of(), List.of(), 0, ahead));
        reporter.report();

        // then
        assertThat(reporter.own().order()).isEqualTo(ahead);
        assertThat(order.next()).isGreaterThan(ahead);
    }
}
