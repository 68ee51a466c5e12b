package io.longhaul.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three linked brokers, of which one is killed, or a link of which is cut, at a random moment of each transfer.
 *
 * <p>The seed is printed; {@code -Dlonghaul.seed=N} repeats a run, as far as troubles at moments can be repeated.
 */
@ExtendWith(TestbedExtension.class)
final class KillAndCutIT {
    private static final long SEED = Long.getLong("longhaul.seed", 20_261_121L);
    private static final Duration RECOVERY = Duration.ofSeconds(5);

    /** A quarter of an hour. */
    @Test
    @Tag("slow")
    void shouldDeliverExactBytesWhenBrokersAreKilledAndLinksCutFiftyTimes(Testbed testbed) {
        Random random = new Random(SEED);
        int rounds = Integer.getInteger("longhaul.soak.rounds", 50);
        run(testbed, random, Trouble.mixed(rounds, Duration.ofSeconds(30), random));
    }

    /** Eleven minutes. */
    @Test
    @Tag("slow")
    void shouldDeliverExactBytesWhenEachLinkIsCutForFiveMinutes(Testbed testbed) {
        run(testbed, new Random(SEED), Trouble.cuts(Duration.ofMinutes(5)));
    }

    private static void run(Testbed testbed, Random random, List<Trouble> troubles) {
        // given
        System.out.println("seed " + SEED);
        WanCampaign campaign = WanCampaign.start(testbed, random);

        // when
        List<WanRound> rounds = campaign.run(troubles);

        // then
        assertThat(rounds).allSatisfy(round -> {
            assertThat(round.recovery())
                    .as("round %d: recovery", round.number())
                    .isLessThan(RECOVERY);
            assertThat(round.mostExtra())
                    .as("round %d: sent again over a link", round.number())
                    .isLessThanOrEqualTo(WanCampaign.WINDOW_BYTES);
            assertThat(round.resentBytes())
                    .as("round %d: sent again by the publisher", round.number())
                    .isLessThanOrEqualTo(WanCampaign.WINDOW_BYTES);
            assertThat(round.duplicateBytes())
                    .as("round %d: got again", round.number())
                    .isLessThanOrEqualTo(WanCampaign.WINDOW_BYTES);
        });
    }
}
