package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairLifeTest {
    private final List<String> done = new ArrayList<>();
    private final PairLife life =
            new PairLife(Runnable::run, () -> done.add("prepare"), () -> done.add("begin"), () -> done.add("end"));

    /** A backup that could not take over once must be able to later. */
    @Test
    void shouldEndNothingWhenABackupIsStartedAgain() {
        // when
        life.preDeActivate();
        life.activationComplete();

        // then
        assertThat(done).containsExactly("begin");

        // when
        life.preDeActivate();

        // then
        assertThat(done).containsExactly("begin", "end");
    }
}
