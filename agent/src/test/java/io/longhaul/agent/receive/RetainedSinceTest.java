package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an archive tells, which has got a file just now, to who asks for the last hour by another clock. */
class RetainedSinceTest {
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long HOUR = Duration.ofHours(1).toMillis();

    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void archive() {
        rig = new Rig(directory);
        rig.clock = Clock.systemUTC();
        rig.open();
        rig.publish(Shipment.file(1, "f", Shipment.random(1, 1000)));
        rig.run();
    }

    private int told(long sinceMillis, long askedMillis) throws InterruptedException {
        return LateQuestion.answer(rig, sinceMillis, askedMillis).transfers().size();
    }

    @Test
    void shouldTellWhatCameInTheLastHourWhoseverClockIsWrong() throws InterruptedException {
        for (long skew : new long[] {0, DAY, -DAY}) {
            // when
            long now = rig.clock.millis() + skew;

            // then
            assertThat(told(now - HOUR, now)).as("%d ms ahead", skew).isEqualTo(1);
        }
    }

    @Test
    void shouldNotTellWhatCameBeforeATimeThatIsCountedFromAClockAhead() throws InterruptedException {
        // given
        long ahead = rig.clock.millis() + DAY;
        rig.kill();
        rig.clock = Clock.offset(rig.clock, Duration.ofHours(-2));
        rig.open();
        rig.publish(Shipment.file(2, "older", Shipment.random(2, 1000)));
        rig.run();

        // then
        assertThat(told(ahead - HOUR, ahead)).isEqualTo(1);
    }

    @Test
    void shouldTellNothingThatCameBeforeATimeThatWasGiven() throws InterruptedException {
        assertThat(told(rig.clock.millis() + DAY, 0)).isZero();
    }
}
