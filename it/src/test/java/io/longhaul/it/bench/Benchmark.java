package io.longhaul.it.bench;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * All comparisons, Longhaul and NATS in turn.
 *
 * <p>Arguments: work directory, directory of the NATS programs, rounds, {@code full} or {@code quick}, and which to run
 * ({@code one}, {@code sixteen}, {@code small}, {@code stopped}; none: all). The table goes to standard output.
 */
public final class Benchmark {
    private static final double MEGA = 1e6;
    private static final int SMALL_FILES = 10_000;

    private final Path work;
    private final Path programs;
    private final int rounds;
    private final boolean quick;
    private final List<String> table = new ArrayList<>();

    private Benchmark(Path work, Path programs, int rounds, boolean quick) {
        this.work = work;
        this.programs = programs;
        this.rounds = rounds;
        this.quick = quick;
    }

    public static void main(String[] arguments) {
        Benchmark benchmark = new Benchmark(
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                Integer.parseInt(arguments[2]),
                arguments[3].equals("quick"));
        List<String> rest = List.of(arguments).subList(4, arguments.length);
        Set<String> wanted = rest.isEmpty() ? Set.of("one", "sixteen", "small", "stopped") : Set.copyOf(rest);
        benchmark.run(wanted);
    }

    private void run(Set<String> wanted) {
        table.add("| what | Longhaul | NATS JetStream | ratio | goal |");
        table.add("|---|---|---|---|---|");
        if (wanted.contains("one")) {
            compare("one receiver, MB/s", quick ? 256 : 1024, 1, false);
            compare("one receiver that has received before, MB/s", quick ? 256 : 1024, 1, true);
        }
        if (wanted.contains("sixteen")) {
            compare("16 receivers, sum of MB/s", quick ? 50 : 200, 16, false);
            compare("16 receivers that have received before, sum of MB/s", quick ? 50 : 200, 16, true);
        }
        if (wanted.contains("small")) {
            smallFiles();
        }
        if (wanted.contains("stopped")) {
            stoppedReceiver(quick ? 256 : 1024);
        }
        table.forEach(System.out::println);
    }

    private void compare(String what, long mebibytes, int receivers, boolean again) {
        Figures longhaul = new Figures();
        Figures nats = new Figures();
        Figures ratio = new Figures();
        for (int round = 1; round <= rounds; round++) {
            Path source = TestFile.random(work.resolve("source.bin"), round, mebibytes * TestFile.MIB);
            Optional<Path> before = again
                    ? Optional.of(TestFile.random(work.resolve("before.bin"), -round, mebibytes * TestFile.MIB))
                    : Optional.empty();
            double moved = receivers * mebibytes * TestFile.MIB / MEGA;
            double ours = moved / measured(source, receivers, before, true);
            double theirs = moved / measured(source, receivers, before, false);
            longhaul.add(ours);
            nats.add(theirs);
            ratio.add(ours / theirs);
            say(
                    "%d MiB to %d%s, round %d: Longhaul %.0f MB/s, NATS %.0f MB/s, ratio %.2f",
                    mebibytes, receivers, again ? " again" : "", round, ours, theirs, ours / theirs);
        }
        table.add("| " + mebibytes + " MiB to " + what + " | " + longhaul.shown(0) + " | " + nats.shown(0) + " | "
                + ratio.shown(2) + " | 1.0 |");
    }

    private double measured(Path source, int receivers, Optional<Path> before, boolean ours) {
        try (Testbed testbed = Testbed.open(work.resolve("round"))) {
            Contestant contestant = ours ? new LonghaulContestant(testbed) : new NatsContestant(testbed, programs);
            return Race.run(testbed, contestant, source, receivers, before);
        } finally {
            Trees.delete(work.resolve("round"));
        }
    }

    private void smallFiles() {
        Path tree = work.resolve("small");
        for (int i = 0; i < SMALL_FILES; i++) {
            TestFile.random(tree.resolve("d" + i % 100).resolve("f" + i), i, 4 * TestFile.KIB);
        }
        Figures rate = new Figures();
        for (int round = 1; round <= rounds; round++) {
            try (Testbed testbed = Testbed.open(work.resolve("round"))) {
                Network network = Network.of(testbed);
                network.broker().startReady();
                Node subscriber = network.subscriber("receiver", "small");
                subscriber.startReady();
                Race.settle();
                Child publisher = network.publisher("publisher", tree, "small", "--wait", "1")
                        .start();
                long receipt = publisher.awaitEvent("receipt").atNanos();
                double seconds = (receipt - publisher.startedNanos()) / 1e9;
                rate.add(SMALL_FILES / seconds);
                say("%d files of 4 KiB, round %d: %.0f files/s", SMALL_FILES, round, SMALL_FILES / seconds);
            }
        }
        Trees.delete(work.resolve("round"));
        Trees.delete(tree);
        table.add("| 10,000 files of 4 KiB as a tree, files/s until the receipt | " + rate.shown(0)
                + " | - | - | 1000 files/s |");
    }

    private void stoppedReceiver(long mebibytes) {
        Figures alone = new Figures();
        Figures beside = new Figures();
        Figures ratio = new Figures();
        for (int round = 1; round <= rounds; round++) {
            Path source = TestFile.random(work.resolve("source.bin"), round, mebibytes * TestFile.MIB);
            // Every other pair the other way round, so that neither is always the second.
            double first = threeReceivers(source, round % 2 == 0);
            double second = threeReceivers(source, round % 2 == 1);
            double three = round % 2 == 1 ? first : second;
            double four = round % 2 == 1 ? second : first;
            alone.add(three);
            beside.add(four);
            ratio.add(four / three);
            say(
                    "pair %d: three alone %.2f s, beside a stopped fourth %.2f s, ratio %.3f",
                    round, three, four, four / three);
        }
        table.add("| " + mebibytes + " MiB to three, seconds: alone / beside a stopped fourth | " + alone.shown(2)
                + " / " + beside.shown(2) + " | - | " + ratio.shown(3) + " | 1.10 at most |");
    }

    private double threeReceivers(Path source, boolean stopped) {
        try (Testbed testbed = Testbed.open(work.resolve("round"))) {
            Network network = Network.of(testbed, "--backlog-limit", "512MiB");
            network.broker().withMachine("-Xmx2g").startReady();
            if (stopped) {
                network.subscriber("stopped", "stopped").startReady().pause();
            }
            List<Node> subscribers = network.subscribers("receiver", 3, "stopped");
            subscribers.forEach(Node::startReady);
            Race.settle();
            Child publisher = network.publisher("publisher", source, "stopped", "--wait", "3")
                    .start();
            long last = publisher.startedNanos();
            for (Node subscriber : subscribers) {
                last = Math.max(last, subscriber.child().awaitEvent("delivered").atNanos());
            }
            publisher.expectExit(0);
            say("  broker's disk: %d MiB", Trees.allocatedBytes(network.broker().data()) / TestFile.MIB);
            return (last - publisher.startedNanos()) / 1e9;
        } finally {
            Trees.delete(work.resolve("round"));
        }
    }

    private static void say(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }
}
