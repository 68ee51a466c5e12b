package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Thousands of subscriptions: how long they take to set up, and what they cost brokers that have nothing to do. */
@ExtendWith(TestbedExtension.class)
@Tag("slow")
final class CrowdIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final double MOST_SECONDS = 150;
    private static final long MOST_MEMORY = TestFile.GIB;
    private static final double MOST_IDLE = 0.25;

    @Test
    void shouldServeAHundredTopicsWithTwentySubscriptionsEachAtFiveBrokers(Testbed testbed) {
        List<Network> sites = new ArrayList<>(List.of(Network.site(testbed, "hub")));
        for (int i = 1; i < 5; i++) {
            sites.add(Network.site(testbed, "leaf" + i, sites.get(0)));
        }
        run(testbed, sites, 100, 4);
    }

    @Test
    void shouldServeAThousandSubscriptionsOnOneTopic(Testbed testbed) {
        Network hub = Network.site(testbed, "hub");
        run(testbed, List.of(hub, Network.site(testbed, "leaf", hub)), 1, 500);
    }

    /** A crowd at each site: so many subscriptions on each of so many topics. */
    private static void run(Testbed testbed, List<Network> sites, int topics, int each) {
        // given
        sites.forEach(site -> site.broker().startReady());

        // when
        List<Child> crowds = new ArrayList<>();
        for (Network site : sites) {
            crowds.add(Crowd.start(testbed, site, "crowd-" + site.broker().label(), topics, each));
        }
        long started = crowds.get(0).startedNanos();
        double seconds = crowds.stream()
                .mapToDouble(
                        crowd -> (crowd.awaitEvents("ready", 1, PATIENCE).get(0).atNanos() - started) / 1e9)
                .max()
                .orElseThrow();

        // then
        int all = sites.size() * each;
        System.out.printf(
                "%d topics x %d subscriptions at %d brokers: set up in %.1f s%n", topics, all, sites.size(), seconds);
        assertThat(seconds).as("seconds to set up").isLessThan(MOST_SECONDS);
        assertDelivery(testbed, sites.get(0), crowds, all);
        assertIdle(sites, crowds);
    }

    private static void assertDelivery(Testbed testbed, Network site, List<Child> crowds, int subscriptions) {
        Path source = TestFile.random(testbed.file("file.bin"), 1, TestFile.MIB);
        Child publisher = site.publisher(
                        "publisher", source, Crowd.TOPIC + 0, "--wait", Integer.toString(subscriptions))
                .start();
        publisher.awaitEvents("published", 1, PATIENCE);
        publisher.expectExit(0);
        // who delivers says so once its receipt is in the network, as the publisher hears of it
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(crowds.stream()
                                .mapToInt(crowd -> crowd.events("delivered").size())
                                .sum())
                        .isEqualTo(subscriptions));
        System.out.printf(
                "1 MiB to the %d of one topic, until the last receipt: %.1f s%n",
                subscriptions, (System.nanoTime() - publisher.startedNanos()) / 1e9);
    }

    private static void assertIdle(List<Network> sites, List<Child> crowds) {
        passes(Duration.ofSeconds(40)); // what was begun ends, and who is quiet asks less often
        List<Child> brokers = sites.stream().map(site -> site.broker().child()).toList();
        Map<Child, Double> idle = new LinkedHashMap<>();
        Stream.concat(brokers.stream(), crowds.stream()).forEach(child -> idle.put(child, -child.cpuSeconds()));
        passes(IDLE);
        idle.replaceAll((child, before) -> (before + child.cpuSeconds()) / IDLE.toSeconds());
        idle.forEach((child, busy) -> System.out.printf(
                "%-16s at most %4d MiB, idle %5.1f ms of CPU a second, %.1f s since its start%n",
                child.label(), child.memory("VmHWM") / TestFile.MIB, 1000 * busy, child.cpuSeconds()));
        assertThat(brokers).allSatisfy(broker -> {
            assertThat(broker.memory("VmHWM")).as(broker.label() + ": memory").isLessThan(MOST_MEMORY);
            assertThat(idle.get(broker)).as(broker.label() + ": idle CPU").isLessThan(MOST_IDLE);
        });
    }

    private static void passes(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(60)).until(() -> true);
    }
}
