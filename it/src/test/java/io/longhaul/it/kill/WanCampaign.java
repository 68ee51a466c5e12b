package io.longhaul.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import io.longhaul.it.testbed.Wan;
import io.longhaul.it.testbed.WanSites;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Brokers at a hub and two leaves of an emulated network, a subscriber at each; in every round one file and one trouble. */
final class WanCampaign {
    /** What may be on its way over a link, and one piece more. */
    static final long WINDOW_BYTES = 33 * TestFile.MIB;

    private static final String TOPIC = "trouble";
    private static final Wan.Link LINK = new Wan.Link("20ms", "0", "200mbit");
    private static final long LENGTH = 64 * TestFile.MIB;

    /** How long it takes undisturbed, from the first bytes at a subscriber. */
    private static final int USUAL_MILLIS = 2500;

    /** Headers of TCP and IP, frames, and what is told beside the file. */
    private static final double COST = 1.06;

    private final Testbed testbed;
    private final Wan wan;
    private final WanSites sites;
    private final Map<String, Node> subscribers = new TreeMap<>();
    private final Random random;
    private int rounds;

    private WanCampaign(Testbed testbed, Random random) {
        this.testbed = testbed;
        this.wan = Wan.orSkip(testbed, LINK, 1, "--sites", "3");
        this.sites = new WanSites(testbed, wan);
        this.random = random;
    }

    /** Starts brokers and subscribers. */
    static WanCampaign start(Testbed testbed, Random random) {
        WanCampaign campaign = new WanCampaign(testbed, random);
        campaign.sites.addBroker("a").startReady();
        campaign.sites.addBroker("b", "a").start();
        campaign.sites.addBroker("c", "a").start();
        for (String site : List.of("a", "b", "c")) {
            campaign.sites.broker(site).child().awaitReady();
            Node subscriber = campaign.sites.subscriber(site, "at-" + site, TOPIC);
            campaign.subscribers.put(site, subscriber);
            subscriber.startReady();
        }
        return campaign;
    }

    /** Runs a round for each trouble, and returns what was seen. */
    List<WanRound> run(List<Trouble> troubles) {
        List<WanRound> seen = new ArrayList<>();
        System.out.println(WanRound.HEADER);
        for (Trouble trouble : troubles) {
            WanRound round = round(trouble, ++rounds);
            System.out.println(round);
            seen.add(round);
        }
        subscribers
                .values()
                .forEach(subscriber -> assertThat(subscriber.events("delivered"))
                        .as(subscriber.label())
                        .hasSize(rounds));
        return seen;
    }

    private WanRound round(Trouble trouble, int number) {
        Path source = TestFile.random(testbed.file("round" + number), random.nextLong(), LENGTH);
        String from = List.of("a", "b", "c").get(random.nextInt(subscribers.size()));
        List<Node> beyond = beyond(trouble, from);
        Map<String, Long> before = carried();
        Node publisher = sites.publisher(from, "publisher" + number, source, TOPIC, "--wait", "3");
        publisher.start();
        PartFiles.awaitFirst(beyond.get(random.nextInt(beyond.size())), number - 1);
        Duration moment = Duration.ofMillis(random.nextInt(USUAL_MILLIS));
        passes(moment);

        long struck = System.nanoTime();
        befall(trouble);
        long back = System.nanoTime();
        Duration recovery = recovery(beyond, source, back);

        publisher.child().expectExit(0);
        long ended = System.nanoTime();
        check(publisher, source);
        Map<String, Long> extra = carried();
        extra.replaceAll((site, sum) -> sum - before.get(site) - (long) (COST * LENGTH));
        long resent = publisher.child().awaitEvent("published").number("resentBytes");
        long duplicate = duplicates(source);
        subscribers
                .values()
                .forEach(subscriber -> TestFile.empty(subscriber.into().resolve(source.getFileName())));
        Trees.delete(source);
        Trees.delete(publisher.home());
        return new WanRound(
                number,
                trouble,
                from,
                moment,
                Duration.ofNanos(back - struck),
                recovery,
                Duration.ofNanos(ended - back),
                extra,
                resent,
                duplicate);
    }

    /** Returns the subscribers that the trouble parts from the publisher. */
    private List<Node> beyond(Trouble trouble, String from) {
        return subscribers.entrySet().stream()
                .filter(subscriber -> trouble.isBetween(from, subscriber.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void befall(Trouble trouble) {
        if (trouble.isKill()) {
            sites.broker(trouble.site()).kill().startReady();
        } else {
            wan.cut(trouble.site());
            passes(trouble.cut());
            wan.heal();
        }
    }

    private static Duration recovery(List<Node> beyond, Path source, long back) {
        List<Node> waiting = beyond.stream()
                .filter(node -> delivered(node, source).isEmpty())
                .toList();
        if (waiting.isEmpty()) {
            return Duration.ZERO;
        }
        SignOfLife sign = SignOfLife.fromNowOn(waiting);
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Child.PATIENCE)
                .until(() -> sign.isThere()
                        || waiting.stream()
                                .anyMatch(node -> !delivered(node, source).isEmpty()));
        return Duration.ofNanos(System.nanoTime() - back);
    }

    private void check(Node publisher, Path source) {
        for (Node subscriber : subscribers.values()) {
            Delivery.assertSame(subscriber, source, source.getFileName().toString());
        }
        assertThat(publisher.events("receipt"))
                .extracting(line -> line.text("subscription"))
                .containsExactlyInAnyOrder("at-a", "at-b", "at-c");
    }

    private long duplicates(Path source) {
        return subscribers.values().stream()
                .flatMap(subscriber -> delivered(subscriber, source).stream())
                .mapToLong(line -> line.number("duplicateBytes"))
                .max()
                .orElse(0);
    }

    private static List<OutputLine> delivered(Node subscriber, Path source) {
        return subscriber.events("delivered").stream()
                .filter(line -> line.text("name").equals(source.getFileName().toString()))
                .toList();
    }

    private Map<String, Long> carried() {
        Map<String, Long> bytes = new HashMap<>();
        List.of("b", "c").forEach(site -> bytes.put(site, wan.carriedBytes(site)));
        return bytes;
    }

    private static void passes(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(60)).until(() -> true);
    }
}
