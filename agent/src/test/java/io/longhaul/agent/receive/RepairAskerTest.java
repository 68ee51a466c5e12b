package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepairAskerTest {
    private long crowdNs;
    private final List<String> said = new ArrayList<>();
    private final BitSet missing = new BitSet();
    private long now;

    private final RepairFlow flow = new RepairFlow();

    private final RepairAsker asker = new RepairAsker(
            new RepairAsker.Voice() {
                @Override
                public void query() {
                    said.add("query");
                }

                @Override
                public void request(String holder, BitSet pieces) {
                    said.add(holder + " " + pieces.nextSetBit(0) + ".." + (pieces.length() - 1));
                }

                @Override
                public void notice(String line) {
                    said.add("! " + line);
                }
            },
            () -> crowdNs,
            flow);

    private List<String> after(long ns) {
        said.clear();
        now += ns;
        asker.tick(missing, now);
        return said.stream().filter(line -> !line.startsWith("!")).toList();
    }

    private void ask(int pieces, String... holders) {
        missing.set(0, pieces);
        after(0);
        for (int i = 0; i < holders.length; i++) {
            asker.offered(holders[i], 0, holders.length - i);
        }
    }

    @Test
    void shouldAskAllHoldersFirst() {
        missing.set(3);
        assertThat(after(0)).containsExactly("query");
        assertThat(after(RepairAsker.COLLECT_NS - 1)).isEmpty();
    }

    @Test
    void shouldChooseLowestRankWhenOffersAreIn() {
        ask(1, "subscriber", "publisher", "archive");
        assertThat(after(RepairAsker.COLLECT_NS)).containsExactly("archive 0..0");
    }

    @Test
    void shouldChooseTheNearestHolderWhateverItIs() {
        // given
        missing.set(0);
        after(0);

        // when
        asker.offered("far-archive", 2, 0);
        asker.offered("near-subscriber", 0, 2);
        asker.offered("archive", 1, 0);
        asker.offered("publisher", 1, 1);

        // then
        assertThat(after(RepairAsker.COLLECT_NS)).containsExactly("near-subscriber 0..0");
        assertThat(after(RepairAsker.SILENCE_NS)).containsExactly("archive 0..0");
        assertThat(after(RepairAsker.SILENCE_NS)).containsExactly("publisher 0..0");
    }

    @Test
    void shouldTakeAnOfferThatComesFromSoFarAwayThatNobodyWasExpectedAnyMore() {
        // given
        ask(1);
        after(RepairAsker.COLLECT_NS);

        // when
        asker.offered("archive", 5, 0);

        // then
        assertThat(after(1)).containsExactly("archive 0..0");
    }

    @Test
    void shouldAskForSixtyFourPiecesTwoRequestsAhead() {
        // given
        ask(300, "archive");

        // then
        assertThat(after(RepairAsker.COLLECT_NS)).containsExactly("archive 0..63", "archive 64..127");
        assertThat(after(1)).isEmpty();

        // when
        for (int i = 0; i < 64; i++) {
            missing.clear(i);
            asker.arrived(i, true, missing, now);
        }

        // then
        assertThat(after(1)).containsExactly("archive 128..191");
    }

    @Test
    void shouldTurnToNextHolderWhenRefused() {
        // given
        ask(1, "subscriber", "archive");
        after(RepairAsker.COLLECT_NS);
        said.clear();

        // when
        asker.refused("archive", missing, now);

        // then
        assertThat(said).contains("subscriber 0..0");
    }

    @Test
    void shouldTurnToNextHolderWhenPieceComesDamaged() {
        // given
        ask(1, "subscriber", "archive");
        after(RepairAsker.COLLECT_NS);
        said.clear();

        // when
        asker.arrived(0, false, missing, now);

        // then
        assertThat(said).contains("subscriber 0..0");
    }

    @Test
    void shouldTurnToNextHolderWhenHolderIsSilent() {
        // given
        ask(1, "subscriber", "archive");
        after(RepairAsker.COLLECT_NS);

        // then
        assertThat(after(RepairAsker.SILENCE_NS - 1)).isEmpty();
        assertThat(after(1)).containsExactly("subscriber 0..0");
    }

    @Test
    void shouldStayWithHolderWhilePiecesCome() {
        // given
        ask(300, "subscriber", "archive");
        after(RepairAsker.COLLECT_NS);

        // when
        for (int i = 0; i < 10; i++) {
            missing.clear(i);
            asker.arrived(i, true, missing, now);
            after(RepairAsker.SILENCE_NS - 1);
        }

        // then
        assertThat(said).noneMatch(line -> line.startsWith("subscriber"));
    }

    @Test
    void shouldAskEveryFourSecondsAtLeastAndSaySoOnceWhenNobodyOffers() {
        // given
        ask(2);
        List<String> notices = new ArrayList<>();
        List<Long> waits = new ArrayList<>();

        // when
        long lastQuery = now;
        for (int i = 0; i < 4_000; i++) {
            boolean asked = !after(50_000_000L).isEmpty();
            notices.addAll(said.stream().filter(line -> line.startsWith("!")).toList());
            if (asked) {
                waits.add(Math.round((now - lastQuery) / 1e9));
                lastQuery = now;
            }
        }

        // then
        assertThat(notices)
                .singleElement()
                .asString()
                .contains("2 pieces are missing")
                .contains("nobody");
        assertThat(waits.subList(0, 5)).containsExactly(1L, 2L, 4L, 4L, 4L);
    }

    @Test
    void shouldAskLessOftenWhenManyAsk() {
        // given
        crowdNs = 20_000_000_000L;
        ask(2);

        // when
        int asked = 0;
        for (int i = 0; i < 4_000; i++) {
            asked += after(50_000_000L).size();
        }

        // then
        assertThat(asked).isBetween(10, 14);
    }

    @Test
    void shouldBeQuietWhenNothingIsMissingAnyMore() {
        // given
        ask(1, "archive");
        after(RepairAsker.COLLECT_NS);

        // when
        missing.clear();
        after(1);

        // then
        assertThat(asker.isQuiet()).isTrue();
        assertThat(after(60_000_000_000L)).isEmpty();
    }

    /** What others have asked for comes by the same way, and before. */
    @Test
    void shouldWaitForAHolderWhilePiecesOfOtherTransfersCome() {
        // given
        ask(1, "subscriber", "archive");
        after(RepairAsker.COLLECT_NS);

        // when
        for (int i = 0; i < 11; i++) {
            flow.arrived(now);
            assertThat(after(RepairAsker.SILENCE_NS - 1)).isEmpty();
        }

        // then
        assertThat(after(RepairAsker.SILENCE_NS)).containsExactly("subscriber 0..0");
    }

    @Test
    void shouldGiveUpAHolderAfterALongTimeEvenIfPiecesOfOtherTransfersCome() {
        // given
        ask(1, "subscriber", "archive");
        after(RepairAsker.COLLECT_NS);

        // when
        now += RepairAsker.LONG_SILENCE_NS - 1;
        flow.arrived(now);

        // then
        assertThat(after(0)).isEmpty();
        assertThat(after(1)).containsExactly("subscriber 0..0");
    }

    @Test
    void shouldNotAskAheadWhileAllTransfersTogetherHaveAskedForEnough() {
        // given
        flow.expect(100);
        ask(300, "archive");

        // when then
        assertThat(after(RepairAsker.COLLECT_NS)).isEmpty();
        assertThat(after(RepairAsker.SILENCE_NS)).isEmpty();

        // when
        flow.expect(-36);

        // then
        assertThat(after(1)).containsExactly("archive 0..63");
        assertThat(flow.expected()).isEqualTo(128);
    }

    @Test
    void shouldExpectNothingMoreWhenItIsQuiet() {
        // given
        ask(300, "archive");
        after(RepairAsker.COLLECT_NS);
        assertThat(flow.expected()).isEqualTo(128);

        // when
        missing.clear();
        after(1);

        // then
        assertThat(flow.expected()).isZero();
    }
}
