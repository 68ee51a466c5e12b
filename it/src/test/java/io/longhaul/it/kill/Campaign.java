package io.longhaul.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Answer;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One publisher, one broker, three subscribers; in every round one transfer, and one of them killed with SIGKILL at a
 * random moment of it and started again with the same arguments.
 */
final class Campaign {
    static final int SUBSCRIBERS = 3;

    /** What may be on its way to the broker, and from it to one subscriber: the windows, and one piece more. */
    static final long WINDOW_BYTES = 33 * TestFile.MIB;

    static final Duration RECOVERY = Duration.ofSeconds(5);

    private static final String TOPIC = "kill.anything";

    private final Testbed testbed;
    private final Network network;
    private final List<Node> subscribers;
    private final SplittableRandom random;
    private final long length;
    private int transfers;
    private Duration usual = Duration.ofSeconds(5);

    private Campaign(Testbed testbed, long seed, long length) {
        this.testbed = testbed;
        this.network = Network.of(testbed);
        this.subscribers = network.subscribers("subscriber", SUBSCRIBERS, TOPIC);
        this.random = new SplittableRandom(seed);
        this.length = length;
    }

    /** Starts broker and subscribers, and lets one transfer go undisturbed, to know how long it takes. */
    static Campaign start(Testbed testbed, long seed, long length) {
        Campaign campaign = new Campaign(testbed, seed, length);
        campaign.network.broker().startReady();
        campaign.subscribers.forEach(Node::start);
        campaign.subscribers.forEach(node -> node.child().awaitReady());
        Path source = campaign.source(0);
        Child publisher = campaign.publisher(source).start();
        publisher.expectExit(0);
        campaign.usual = Duration.ofNanos(System.nanoTime() - publisher.startedNanos());
        campaign.checkDelivered(source);
        System.out.printf(
                "undisturbed: %d MiB to %d subscribers in %d ms%n",
                length / TestFile.MIB, SUBSCRIBERS, campaign.usual.toMillis());
        return campaign;
    }

    /** Runs one round for each of the victims, in each repetition, and returns what was seen. */
    List<Round> run(int repetitions, List<Victim> victims) {
        List<Round> rounds = new ArrayList<>();
        System.out.println(Round.HEADER);
        for (int i = 0; i < repetitions; i++) {
            for (Victim victim : victims) {
                Optional<Round> round = round(victim);
                while (round.isEmpty()) {
                    round = round(victim);
                }
                System.out.println(round.get());
                rounds.add(round.get());
            }
        }
        return rounds;
    }

    /** Empty when the publisher had ended before it could be killed. */
    private Optional<Round> round(Victim victim) {
        Path source = source(++transfers);
        Node publisher = publisher(source);
        Node node = node(victim, publisher);
        publisher.start();
        Duration moment = usual.multipliedBy(random.nextInt(1, 100)).dividedBy(100);
        passes(moment);
        node.kill();
        SignOfLife sign = SignOfLife.fromNowOn(observers(victim, publisher)); // before it is asked who has what
        // A subscriber that has delivered has nothing to go on with, even while others still do.
        boolean unfinished = publisher.events("published").isEmpty() && !hasDelivered(node, source);
        if (victim == Victim.PUBLISHER && !unfinished) {
            checkDelivered(source);
            return Optional.empty();
        }
        Restart restart = Restart.of(node, unfinished, sign);
        Duration recovery = restart.awaitSignOfLife();
        List<OutputLine> receipts = receipts(publisher);
        long finished = System.nanoTime();
        checkDelivered(source);
        subscribers.forEach(subscriber -> TestFile.empty(subscriber.into().resolve(source.getFileName())));
        OutputLine published = publisher.child().awaitEvent("published");
        Trees.delete(source);
        return Optional.of(new Round(
                transfers,
                victim,
                moment,
                recovery,
                Duration.ofNanos(finished - restart.atNanos()),
                published.number("resentBytes"),
                duplicates(source),
                receipts.size()));
    }

    private Node node(Victim victim, Node publisher) {
        return switch (victim) {
            case PUBLISHER -> publisher;
            case BROKER -> network.broker();
            case SUBSCRIBER_1 -> subscribers.get(0);
            case SUBSCRIBER_2 -> subscribers.get(1);
            case SUBSCRIBER_3 -> subscribers.get(2);
        };
    }

    private List<Node> observers(Victim victim, Node publisher) {
        return switch (victim) {
            case PUBLISHER, BROKER -> {
                List<Node> all = new ArrayList<>(subscribers);
                all.add(publisher);
                yield all;
            }
            case SUBSCRIBER_1, SUBSCRIBER_2, SUBSCRIBER_3 -> List.of(node(victim, publisher));
        };
    }

    private Path source(int number) {
        return TestFile.random(testbed.file("round-" + number), random.nextLong(), length);
    }

    private Node publisher(Path source) {
        return network.publisher("publisher", source, TOPIC, "--wait", Integer.toString(SUBSCRIBERS));
    }

    /** Waits for the publisher's good end and returns its receipts: one of each subscription, for these bytes. */
    private List<OutputLine> receipts(Node publisher) {
        publisher.child().expectExit(0);
        List<OutputLine> receipts = publisher.child().events("receipt");
        assertThat(receipts)
                .extracting(line -> line.text("subscription"))
                .containsExactlyInAnyOrderElementsOf(
                        subscribers.stream().map(Node::label).toList());
        assertThat(receipts).extracting(line -> line.text("outcome")).containsOnly("delivered");
        return receipts;
    }

    private void checkDelivered(Path source) {
        String name = source.getFileName().toString();
        for (Node subscriber : subscribers) {
            Delivery.assertSame(subscriber, source, name);
        }
    }

    /** Returns the most bytes of this transfer that any subscriber got twice. */
    private long duplicates(Path source) {
        return subscribers.stream()
                .mapToLong(subscriber -> delivered(subscriber, source))
                .max()
                .orElse(0);
    }

    private static boolean hasDelivered(Node node, Path source) {
        String name = source.getFileName().toString();
        return node.events("delivered").stream()
                .anyMatch(line -> line.text("name").equals(name));
    }

    private static long delivered(Node subscriber, Path source) {
        String name = source.getFileName().toString();
        return subscriber.events("delivered").stream()
                .filter(line -> line.text("name").equals(name))
                .mapToLong(line -> line.number("duplicateBytes"))
                .max()
                .orElse(0);
    }

    /** Checks, at the end, that no ledger knows a receipt twice, all hold, and no directory holds anything else. */
    void checkLedgers() {
        int all = transfers + 1;
        subscribers.forEach(subscriber -> {
            Answer listing = network.run(
                    0, "receipts", "--verify", "--data", subscriber.data().toString());
            List<String> known =
                    listing.output().stream().map(line -> line.text("transfer")).toList();
            assertThat(known)
                    .as(subscriber.label() + ": receipts given")
                    .doesNotHaveDuplicates()
                    .hasSize(all);
            assertThat(Trees.visible(subscriber.into()))
                    .as(subscriber.label() + ": names")
                    .hasSize(all);
        });
        Answer taken = network.run(
                0,
                "receipts",
                "--verify",
                "--data",
                testbed.directory("publisher").resolve("data").toString());
        assertThat(taken.output().stream().map(line -> line.text("transfer") + ' ' + line.text("subscription")))
                .as("receipts taken")
                .doesNotHaveDuplicates()
                .hasSize(all * SUBSCRIBERS);
    }

    /** Lets the moment before a kill go by. */
    private static void passes(Duration moment) {
        await().pollDelay(moment).atMost(moment.plusSeconds(60)).until(() -> true);
    }
}
