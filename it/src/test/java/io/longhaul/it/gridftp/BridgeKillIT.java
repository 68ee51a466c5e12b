package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.gridftp.BridgeSites.Copy;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real client, a real server, and anything between or the server itself killed, whenever: the client does not notice, unless it
 * talked to the one that was killed; then its next try goes on. Nothing crosses between the sites twice but a window.
 *
 * <p>The seed is printed; {@code -Dlonghaul.seed=N} repeats a run, as far as kills at moments can be repeated.
 */
@ExtendWith(TestbedExtension.class)
final class BridgeKillIT {
    private static final long SEED = Long.getLong("longhaul.seed", 20_261_121L);
    private static final long LENGTH = 48 * TestFile.MIB + 17;

    /** What is said between the sites about a file that both have. */
    private static final long WORDS = TestFile.MIB;

    @Test
    void shouldGoOnWhenAnyoneIsKilledAndCarryNothingAgain(Testbed testbed) throws IOException {
        // given
        BridgeSites sites = BridgeSites.start(testbed);
        BridgeCampaign campaign = new BridgeCampaign(sites, SEED, LENGTH);

        // when
        System.out.println("seed " + SEED);
        System.out.println(BridgeRound.HEADER);
        List<BridgeRound> rounds = List.of(
                campaign.round(1, BridgeVictim.FRONT, true, true),
                campaign.round(2, BridgeVictim.BACK, false, true),
                campaign.round(3, BridgeVictim.FAR_BROKER, true, true));

        // then
        assertCarriedOnce(rounds);
        retry(sites, campaign);
    }

    private static void assertCarriedOnce(List<BridgeRound> rounds) {
        assertThat(rounds)
                .allSatisfy(round -> assertThat(round.crossedBytes())
                        .as("bytes over the link in %s", round)
                        .isLessThanOrEqualTo(BridgeCampaign.most(round.length())));
    }

    @ParameterizedTest
    @EnumSource(BridgeVictim.class)
    @Tag("slow")
    void shouldGoOnWhenTheSameIsKilledTwentyTimes(BridgeVictim victim, Testbed testbed) throws IOException {
        // given
        BridgeSites sites = BridgeSites.start(testbed);
        BridgeCampaign campaign = new BridgeCampaign(
                sites, SEED + victim.ordinal(), Long.getLong("longhaul.soak.mib", 192) * TestFile.MIB + 17);
        int rounds = Integer.getInteger("longhaul.soak.rounds", 20);

        // when
        System.out.println("seed " + SEED);
        System.out.println(BridgeRound.HEADER);
        List<BridgeRound> seen = new ArrayList<>();
        for (int number = 1; number <= rounds; number++) {
            seen.add(campaign.round(number, victim, number % 2 == 1, number % 4 < 2));
        }

        // then
        assertCarriedOnce(seen);
        await().atMost(Child.PATIENCE).until(sites::listed, names -> names.isEmpty());
    }

    @Test
    @Tag("slow")
    void shouldWaitWhenTheServerIsAwayForAMinute(Testbed testbed) throws IOException {
        // given: more than a back reads ahead
        long length = 5 * LENGTH;
        BridgeSites sites = BridgeSites.start(testbed);
        BridgeCampaign campaign = new BridgeCampaign(sites, SEED, length);
        List<Copy> copies = List.of(campaign.prepare(true, true), campaign.prepare(false, true));

        // when
        long before = sites.crossed();
        List<Child> clients = copies.stream().map(sites::begin).toList();
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Child.PATIENCE)
                .until(() -> sites.crossed() - before > LENGTH);
        sites.kill(BridgeVictim.SERVER);
        BridgeCampaign.passes(Duration.ofMinutes(1));

        // then
        assertThat(clients).allMatch(Child::isAlive, "waits");
        sites.start(BridgeVictim.SERVER);
        clients.forEach(client -> client.expectExit(0));
        for (Copy copy : copies) {
            campaign.finish(copy);
        }
        assertThat(sites.crossed() - before).isLessThanOrEqualTo(2 * BridgeCampaign.most(length));
    }

    private static void retry(BridgeSites sites, BridgeCampaign campaign) throws IOException {
        // when a client is killed behind its last byte, with the server away
        Copy copy = campaign.prepare(true, true);
        long before = sites.crossed();
        sites.kill(BridgeVictim.SERVER);
        Child client = sites.begin(copy);
        sites.awaitAllTaken(copy);
        client.kill();
        sites.start(BridgeVictim.SERVER);

        // then its file arrives
        await().atMost(Child.PATIENCE).until(() -> Files.exists(sites.there(copy)));
        assertThat(Files.mismatch(sites.here(copy), sites.there(copy))).isEqualTo(-1);
        assertThat(sites.crossed() - before).isLessThanOrEqualTo(BridgeCampaign.most(LENGTH));

        // when it sends the file again, also after it has deleted it
        long once = sites.crossed();
        sites.begin(copy).expectExit(0);
        sites.delete(copy);
        assertThat(sites.there(copy)).doesNotExist();
        sites.begin(copy).expectExit(0);

        // then
        assertThat(sites.crossed() - once).as("bytes of retries").isLessThan(WORDS);
        campaign.finish(copy);

        // when a file is read twice
        Copy read = campaign.prepare(false, true);
        before = sites.crossed();
        sites.begin(read).expectExit(0);
        Files.delete(sites.here(read));
        sites.begin(read).expectExit(0);

        // then
        campaign.finish(read);
        assertThat(sites.crossed() - before).isLessThanOrEqualTo(BridgeCampaign.most(LENGTH));

        // when a client is killed in the middle, and its successor deletes what it expects there
        Copy cut = campaign.prepare(true, false);
        before = sites.crossed();
        client = sites.begin(cut);
        await().pollInterval(Duration.ofMillis(5)).atMost(Child.PATIENCE).until(() -> sites.arrived() > LENGTH * 2 / 3);
        client.kill();
        sites.begin(cut).expectExit(0);

        // then
        campaign.finish(cut);
        assertThat(sites.crossed() - before).isLessThanOrEqualTo(BridgeCampaign.most(LENGTH));
    }
}
