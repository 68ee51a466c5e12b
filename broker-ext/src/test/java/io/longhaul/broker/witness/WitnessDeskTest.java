package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WitnessDeskTest {
    private static final Object FIRST = "first";
    private static final Object SECOND = "second";

    @TempDir
    private Path data;

    private long nowNs;
    private WitnessDesk desk;

    @BeforeEach
    void open() throws IOException {
        desk = new WitnessDesk(WitnessBook.open(data), () -> nowNs);
    }

    private Answer ask(Object asker, Operation operation, long expected, long value) {
        return desk.answer(new Ask(7, operation, "pair", "node", expected, value), asker);
    }

    private Outcome claim(Object asker) {
        return ask(asker, Operation.CLAIM, 0, 0).outcome();
    }

    @Test
    void shouldMoveTheTermOnWhenTheClaimantAsks() {
        // given
        claim(FIRST);

        // when
        Answer answer = ask(FIRST, Operation.SWAP, 0, 1);

        // then
        assertThat(answer).isEqualTo(new Answer(7, Outcome.DONE, 1));
    }

    @Test
    void shouldRefuseATermWhenAnotherOneHasTheClaim() {
        // given
        claim(FIRST);

        // when / then
        assertThat(claim(SECOND)).isEqualTo(Outcome.CLAIMED);
        assertThat(ask(SECOND, Operation.SWAP, 0, 1)).isEqualTo(new Answer(7, Outcome.CLAIMED, 0));
        assertThat(ask(SECOND, Operation.SET, 0, 1)).isEqualTo(new Answer(7, Outcome.CLAIMED, 0));
    }

    @Test
    void shouldRefuseATermWhenItHasMovedOn() {
        // given
        claim(FIRST);
        ask(FIRST, Operation.SET, 0, 5);

        // when / then
        assertThat(ask(FIRST, Operation.SWAP, 4, 6)).isEqualTo(new Answer(7, Outcome.CHANGED, 5));
    }

    @Test
    void shouldRefuseWhoWasSilentForTooLongWhenAnotherOneCame() {
        // given
        claim(FIRST);
        nowNs += TimeUnit.MILLISECONDS.toNanos(WitnessDesk.SILENCE_MILLIS) + 1;

        // when
        Outcome second = claim(SECOND);

        // then
        assertThat(second).isEqualTo(Outcome.DONE);
        assertThat(ask(FIRST, Operation.SWAP, 0, 1).outcome()).isEqualTo(Outcome.CLAIMED);
    }

    @Test
    void shouldGrantTheClaimWhenItsHolderHasLeftOrGivenItBack() {
        // given
        claim(FIRST);

        // when / then
        desk.left(FIRST);
        assertThat(claim(SECOND)).isEqualTo(Outcome.DONE);
        ask(SECOND, Operation.RELEASE, 0, 0);
        assertThat(claim(FIRST)).isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldKnowTheTermWhenItIsStartedAnew() throws IOException {
        // given
        claim(FIRST);
        ask(FIRST, Operation.SET, 0, -3);

        // when
        open();

        // then
        assertThat(ask(SECOND, Operation.GET, 0, 0)).isEqualTo(new Answer(7, Outcome.DONE, -3));
        assertThat(claim(SECOND)).isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldRefuseAPairOfTheSameNameWhenItKeepsOtherData() {
        // given
        claim(FIRST);
        ask(FIRST, Operation.SET, 0, 3);

        // when
        Answer answer = desk.answer(new Ask(7, Operation.CLAIM, "pair", "another", 0, 0), FIRST);

        // then
        assertThat(answer.outcome()).isEqualTo(Outcome.OTHER_NODE);
    }

    @Test
    void shouldRefuseNamesWhenTheyWouldBreakItsBook() {
        // when
        Answer answer = desk.answer(new Ask(7, Operation.SET, "a b", "node", 0, 1), FIRST);

        // then
        assertThat(answer.outcome()).isEqualTo(Outcome.OTHER_NODE);
    }

    @Test
    void shouldServeNoMorePairsThanItsBookMayHold() {
        // given
        claim(FIRST);
        ask(FIRST, Operation.SET, 0, 1);
        for (int i = 0; i < WitnessDesk.MOST_PAIRS; i++) {
            desk.answer(new Ask(7, Operation.CLAIM, "pair-" + i, "node", 0, 0), SECOND);
        }

        // when
        Answer other = desk.answer(new Ask(7, Operation.CLAIM, "other", "node", 0, 0), FIRST);

        // then
        assertThat(other.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(claim(FIRST)).as("a pair that it has").isEqualTo(Outcome.DONE);
        desk.left(SECOND);
        assertThat(desk.answer(new Ask(7, Operation.CLAIM, "other", "node", 0, 0), FIRST)
                        .outcome())
                .isEqualTo(Outcome.DONE);
    }
}
