package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WitnessDeskTest {
    private static final WitnessDesk.Asker FIRST = new WitnessDesk.Asker("first", "pair-account");
    private static final WitnessDesk.Asker SECOND = new WitnessDesk.Asker("second", "pair-account");
    private static final WitnessDesk.Asker STRANGER = new WitnessDesk.Asker("stranger", "other-account");

    @TempDir
    private Path data;

    private final Set<String> accounts = new HashSet<>(Set.of("pair-account", "other-account"));
    private long nowNs;
    private WitnessDesk desk;

    @BeforeEach
    void open() throws IOException {
        desk = new WitnessDesk(WitnessBook.open(data), accounts::contains, () -> nowNs);
    }

    private Answer ask(WitnessDesk.Asker asker, Operation operation, long expected, long value) {
        return desk.answer(new Ask(7, operation, "pair", "node", expected, value), asker);
    }

    private Outcome claim(WitnessDesk.Asker asker) {
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
        desk.left(FIRST.session());
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

    /** It could else make both brokers of the pair stale. */
    @Test
    void shouldRefuseAnotherAccountUntilThatOfThePairMayLinkNoMore() throws IOException {
        // given
        claim(FIRST);
        ask(FIRST, Operation.SET, 0, 3);
        desk.left(FIRST.session());
        open();

        // when, then
        for (Operation operation : Operation.values()) {
            assertThat(ask(STRANGER, operation, 3, 4)).isEqualTo(new Answer(7, Outcome.OTHER_ACCOUNT, 0));
        }
        assertThat(claim(SECOND)).as("the same account").isEqualTo(Outcome.DONE);
        desk.left(SECOND.session());

        // when
        accounts.remove("pair-account");

        // then
        assertThat(claim(STRANGER)).isEqualTo(Outcome.DONE);
        accounts.add("pair-account");
        assertThat(ask(FIRST, Operation.GET, 0, 0).outcome()).isEqualTo(Outcome.OTHER_ACCOUNT);
    }

    @Test
    void shouldGiveAPairOfAnOlderBookToWhoClaimsIt() throws IOException {
        // given
        accounts.clear();
        claim(FIRST);
        ask(FIRST, Operation.SET, 0, 3);
        desk.left(FIRST.session());
        String older = Files.readString(data.resolve("witness"));
        accounts.addAll(Set.of("pair-account", "other-account"));
        open();

        // when
        claim(SECOND);

        // then
        assertThat(older).contains("pair node 3\n");
        assertThat(Files.readString(data.resolve("witness"))).contains("pair node 3 pair-account\n");
        open();
        assertThat(claim(STRANGER)).isEqualTo(Outcome.OTHER_ACCOUNT);
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
        desk.left(SECOND.session());
        assertThat(desk.answer(new Ask(7, Operation.CLAIM, "other", "node", 0, 0), FIRST)
                        .outcome())
                .isEqualTo(Outcome.DONE);
    }
}
