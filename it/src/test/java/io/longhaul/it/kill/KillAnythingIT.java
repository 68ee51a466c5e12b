package io.longhaul.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever is killed, whenever: exact bytes, one delivery, one receipt for each subscription, soon.
 *
 * <p>The seed is printed; {@code -Dlonghaul.seed=N} repeats a run, as far as kills at moments can be repeated.
 */
@ExtendWith(TestbedExtension.class)
final class KillAnythingIT {
    private static final long SEED = Long.getLong("longhaul.seed", 20_261_121L);

    /** One of each role: what distinguishes one subscriber from another is their number alone. */
    @Test
    void shouldDeliverExactBytesOnceWhenAnyoneIsKilledAtAnyMoment(Testbed testbed) {
        run(
                testbed,
                Long.getLong("longhaul.kill.mib", 96) * TestFile.MIB,
                Integer.getInteger("longhaul.kill.rounds", 1),
                List.of(Victim.PUBLISHER, Victim.BROKER, Victim.SUBSCRIBER_2),
                // A build machine may be busy with other things: how long a recovery took is printed.
                Optional.empty(),
                round -> Campaign.WINDOW_BYTES);
    }

    @Test
    @Tag("slow")
    void shouldDeliverExactBytesOnceWhenEveryoneIsKilledTwentyTimes(Testbed testbed) {
        run(
                testbed,
                Long.getLong("longhaul.soak.mib", 1024) * TestFile.MIB,
                Integer.getInteger("longhaul.soak.rounds", 20),
                List.of(Victim.values()),
                Optional.of(Campaign.RECOVERY),
                Round::resentBytes);
    }

    private static void run(
            Testbed testbed,
            long length,
            int repetitions,
            List<Victim> victims,
            Optional<Duration> recovery,
            ToLongFunction<Round> resent) {
        // given
        System.out.println("seed " + SEED);
        Campaign campaign = Campaign.start(testbed, SEED, length);

        // when
        List<Round> rounds = campaign.run(repetitions, victims);

        // then
        campaign.checkLedgers();
        assertThat(rounds).allSatisfy(round -> {
            assertThat(round.receipts())
                    .as("round %d: receipts", round.number())
                    .isEqualTo(Campaign.SUBSCRIBERS);
            recovery.ifPresent(most -> assertThat(round.recovery())
                    .as("round %d: recovery", round.number())
                    .isLessThan(most));
            assertThat(round.resentBytes())
                    .as("round %d: sent again", round.number())
                    .isLessThanOrEqualTo(Campaign.WINDOW_BYTES);
            // what a killed broker had given out comes again from it, and what it had taken from the publisher
            assertThat(round.duplicateBytes())
                    .as("round %d: got again", round.number())
                    .isLessThanOrEqualTo(Campaign.WINDOW_BYTES + resent.applyAsLong(round));
        });
    }
}
