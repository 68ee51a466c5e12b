package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class AckGateTest {
    private final AckGate<AtomicBoolean> gate = new AckGate<>(AtomicBoolean::get);
    private final AtomicBoolean mirror = new AtomicBoolean(true);
    private final List<Integer> answered = new ArrayList<>();

    private void pass(int number) {
        gate.pass(() -> answered.add(number));
    }

    @Test
    void shouldAnswerWhenThereIsNoBackup() {
        // when
        pass(1);

        // then
        assertThat(answered).containsExactly(1);
    }

    @Test
    void shouldAnswerWhenTheBackupHasConfirmed() {
        // given
        gate.mirrored(mirror);

        // when
        pass(1);

        // then
        assertThat(answered).containsExactly(1);
    }

    @Test
    void shouldHoldBackWhenTheBackupIsLostAndNothingDecided() {
        // given
        gate.mirrored(mirror);
        mirror.set(false);

        // when
        pass(1);

        // then
        assertThat(answered).isEmpty();
        assertThat(gate.withheld()).isEqualTo(1);
        assertThat(gate.isMirrored()).isTrue();
    }

    @Test
    void shouldAnswerInOrderWhenItLivesAlone() {
        // given
        gate.mirrored(mirror);
        mirror.set(false);
        gate.pass(() -> {
            answered.add(1);
            pass(3); // comes while the others are given
        });
        pass(2);

        // when
        gate.alone();
        pass(4);

        // then
        assertThat(answered).containsExactly(1, 2, 3, 4);
        assertThat(gate.isMirrored()).isFalse();
    }

    @Test
    void shouldGiveTheOthersWhenOneCannotBeGiven() {
        // given
        gate.mirrored(mirror);
        mirror.set(false);
        gate.pass(() -> {
            throw new IllegalStateException("its session has ended");
        });
        pass(1);

        // when
        gate.alone();
        pass(2);

        // then
        assertThat(answered).containsExactly(1, 2);
    }
}
