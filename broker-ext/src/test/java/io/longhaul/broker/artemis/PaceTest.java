package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long BACKLOG = 100;

    private long nowNs = -5;
    private long acknowledged = 7;
    private long waiting = BACKLOG;
    private boolean connected = true;

    private Pace.Sight sight() {
        return new Pace.Sight(acknowledged, waiting, connected);
    }

    private boolean isMoving(Pace pace) {
        return pace.isMoving(sight(), nowNs);
    }

    private void pass(long seconds) {
        nowNs += TimeUnit.SECONDS.toNanos(seconds);
    }

    /** A subscription whose consumer has been there for a while and has taken nothing. */
    private Pace standing() {
        Pace pace = new Pace(sight(), nowNs);
        isMoving(pace);
        pass(10);
        assertThat(isMoving(pace)).isFalse();
        return pace;
    }

    @Test
    void shouldStandWhenNobodyConsumes() {
        // given
        connected = false;
        Pace pace = new Pace(sight(), nowNs);

        // then
        assertThat(isMoving(pace)).isFalse();
        pass(1);
        assertThat(isMoving(pace)).isFalse();
    }

    @Test
    void shouldStandWhenNobodyConsumesAndNothingWaits() {
        // given
        connected = false;
        waiting = 0;

        // then
        assertThat(isMoving(new Pace(sight(), nowNs))).isFalse();
    }

    @Test
    void shouldMoveForTenSecondsWhenSomethingWasAcknowledged() {
        // given
        Pace pace = standing();

        // when
        acknowledged++;

        // then
        assertThat(isMoving(pace)).isTrue();
        pass(9);
        assertThat(isMoving(pace)).isTrue();
        pass(1);
        assertThat(isMoving(pace)).isFalse();
    }

    @Test
    void shouldMoveWhenBatchesAreSecondsApart() {
        // given
        Pace pace = standing();

        // then
        for (int batch = 0; batch < 5; batch++) {
            acknowledged += 32;
            assertThat(isMoving(pace)).isTrue();
            pass(8);
            assertThat(isMoving(pace)).isTrue();
        }
    }

    @Test
    void shouldHaveItsTimeWhenConsumerHasJustCome() {
        // given
        connected = false;
        Pace pace = new Pace(sight(), nowNs);
        assertThat(isMoving(pace)).isFalse();

        // when
        connected = true;

        // then
        assertThat(isMoving(pace)).isTrue();
        pass(10);
        assertThat(isMoving(pace)).isFalse();
    }

    @Test
    void shouldHaveItsTimeWhenFirstFramesComeAfterLongIdleness() {
        // given
        waiting = 0;
        Pace pace = new Pace(sight(), nowNs);
        pass(3600);
        assertThat(isMoving(pace)).isTrue();

        // when
        waiting = BACKLOG;
        pass(2);

        // then
        assertThat(isMoving(pace)).isTrue();
        pass(8);
        assertThat(isMoving(pace)).isFalse();
    }
}
