package io.longhaul.it.bench.contender;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A publisher, a broker and a subscriber, one of them killed in the middle of a transfer and started again at once. */
public final class LonghaulKilled {
    private static final String TOPIC = "bench";
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Who is killed. */
    public enum Victim {
        PUBLISHER,
        BROKER,
        SUBSCRIBER
    }

    private LonghaulKilled() {}

    /**
     * Runs one transfer.
     *
     * @param victim empty for a transfer that nobody disturbs
     * @param moment after the publisher's start
     */
    public static Interrupted run(Stage stage, Path source, Optional<Victim> victim, Duration moment) {
        Network network = Network.of(stage.testbed());
        Node broker = network.broker().withMachine("-Xmx2g");
        broker.startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady();
        Trial.settle();
        Node publisher = network.publisher("publisher", source, TOPIC, "--wait", "1");
        long started = publisher.start().startedNanos();
        victim.ifPresent(who -> {
            passes(moment);
            Node node = node(who, publisher, broker, subscriber);
            if (!subscriber.events("delivered").isEmpty()) {
                throw new AssertionError("the transfer had ended before anything was killed");
            }
            node.kill();
            node.start();
        });
        OutputLine delivered = await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> subscriber.events("delivered"), lines -> !lines.isEmpty())
                .get(0);
        Child last = publisher.child();
        stage.finish(last);
        List<Long> again =
                List.of(last.awaitEvent("published").number("resentBytes"), delivered.number("duplicateBytes"));
        compare(source, subscriber);
        return new Interrupted(Stage.seconds(started, delivered.atNanos()), again);
    }

    private static void compare(Path source, Node subscriber) {
        Trial.compare(source, subscriber.into().resolve(source.getFileName()));
    }

    private static Node node(Victim victim, Node publisher, Node broker, Node subscriber) {
        return switch (victim) {
            case PUBLISHER -> publisher;
            case BROKER -> broker;
            case SUBSCRIBER -> subscriber;
        };
    }

    /** Lets the moment before a kill go by. */
    static void passes(Duration moment) {
        await().pollDelay(moment).atMost(moment.plusSeconds(60)).until(() -> true);
    }

    /** Returns all victims. */
    public static List<Victim> victims() {
        return List.of(Victim.values());
    }
}
