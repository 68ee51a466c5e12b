package io.longhaul.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Topology;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three sites in a chain or a ring, of which one broker after the other is killed while files pass. A chain is killed as soak
 * only: {@code ChainIT} kills its middle, and all of it.
 */
@ExtendWith(TestbedExtension.class)
final class KillBrokersIT {
    private static final String TOPIC = "kill-brokers";
    private static final long SEED = Long.getLong("longhaul.seed", 20261121);
    private static final int SITES = 3;
    private static final int SOAK_ROUNDS = Integer.getInteger("longhaul.soak.rounds", 50);

    @Test
    void shouldDeliverExactBytesWhenEachBrokerOfARingIsKilledOnce(Testbed testbed) {
        run(testbed, ring(testbed), SITES, 32 * TestFile.MIB);
    }

    @Test
    @Tag("slow")
    void shouldDeliverExactBytesWhenBrokersAreKilledFiftyTimes(Testbed testbed) {
        run(testbed, chain(testbed), SOAK_ROUNDS, 96 * TestFile.MIB);
    }

    @Test
    @Tag("slow")
    void shouldDeliverExactBytesWhenBrokersOfARingAreKilledFiftyTimes(Testbed testbed) {
        run(testbed, ring(testbed), SOAK_ROUNDS, 96 * TestFile.MIB);
    }

    private static List<Network> chain(Testbed testbed) {
        Network a = Network.site(testbed, "a");
        Network b = Network.site(testbed, "b", a);
        return List.of(a, b, Network.site(testbed, "c", b));
    }

    private static List<Network> ring(Testbed testbed) {
        Network a = Network.site(testbed, "a");
        Network b = Network.site(testbed, "b", a);
        return List.of(a, b, Network.site(testbed, "c", b, a));
    }

    private static void run(Testbed testbed, List<Network> sites, int rounds, long length) {
        // given
        System.out.println("seed " + SEED);
        System.out.println("round  killed  at ms  complete ms after the restart");
        Random random = new Random(SEED);
        Network.startAll(sites);
        Topology.awaitLink("b", "a", sites.toArray(Network[]::new));
        Topology.awaitLink("c", "b", sites.toArray(Network[]::new));
        List<Node> subscribers = List.of(
                sites.get(0).subscriber("at-a", TOPIC),
                sites.get(1).subscriber("at-b", TOPIC),
                sites.get(2).subscriber("at-c", TOPIC));
        subscribers.forEach(Node::start);
        subscribers.forEach(subscriber -> subscriber.child().awaitReady());

        for (int round = 1; round <= rounds; round++) {
            // when
            Network victim = sites.get(round % SITES);
            Path source = TestFile.random(testbed.file("round" + round), SEED + round, length);
            Node publisher = sites.get(random.nextInt(SITES))
                    .publisher("publisher" + round, source, TOPIC, "--wait", Integer.toString(SITES));
            publisher.start();
            PartFiles.awaitFirst(subscribers.get(random.nextInt(SITES)), round - 1);
            Duration moment = Duration.ofMillis(random.nextInt(800));
            await().pollDelay(moment).until(() -> true);
            victim.broker().kill();
            long restartedNs = System.nanoTime();
            victim.broker().startReady();

            // then
            publisher.child().expectExit(0);
            System.out.printf(
                    "%5d  %6s  %5d  %11d%n",
                    round, victim.broker().label(), moment.toMillis(), (System.nanoTime() - restartedNs) / 1_000_000);
            for (Node subscriber : subscribers) {
                Delivery.await(subscriber, round, Child.PATIENCE);
                Delivery.assertSame(subscriber, source, "round" + round);
                TestFile.empty(subscriber.into().resolve("round" + round));
            }
            assertThat(publisher.events("receipt"))
                    .extracting(line -> line.text("subscription"))
                    .containsExactlyInAnyOrder("at-a", "at-b", "at-c");
            Trees.delete(source);
        }
        subscribers.forEach(subscriber -> assertThat(subscriber.events("delivered"))
                .as(subscriber.label())
                .hasSize(rounds));
    }
}
