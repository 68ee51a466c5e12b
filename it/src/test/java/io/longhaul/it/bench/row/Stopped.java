package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Floor;
import io.longhaul.it.bench.contender.Stage;
import io.longhaul.it.bench.contender.Trial;
import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Whether a stopped receiver slows three others, in pairs; and three others of Artemis alone. */
final class Stopped implements Row {
    private static final int MIB = 1024;
    private static final int RECEIVERS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Brings a file to three receivers, beside a stopped one or not; returns seconds until the last has it. */
    private interface Carrier {
        double seconds(Setting setting, Path source, boolean stopped);
    }

    private record Pairs(String name, Carrier carrier, Figures alone, Figures beside) {
        Pairs(String name, Carrier carrier) {
            this(name, carrier, new Figures(), new Figures());
        }

        /** Every other pair goes the other way round, so that neither is always the second. */
        void round(Setting setting, Path source, int number) {
            for (boolean stopped : new boolean[] {number % 2 == 0, number % 2 == 1}) {
                double seconds = carrier.seconds(setting, source, stopped);
                (stopped ? beside : alone).add(seconds);
                Setting.say("pair %d: %s, three%s: %.2f s", number, name, stopped ? " beside a stopped" : "", seconds);
            }
        }
    }

    @Override
    public String name() {
        return "stopped";
    }

    @Override
    public void measure(Setting setting) {
        int mebibytes = setting.size().of(MIB);
        List<Pairs> all = Stream.of(
                        new Pairs("Longhaul", Stopped::longhaul), new Pairs("floor: Artemis alone", Stopped::floor))
                .filter(pairs -> setting.takes(pairs.name()))
                .toList();
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, mebibytes * TestFile.MIB);
            for (Pairs pairs : all) {
                pairs.round(setting, source, round);
            }
            setting.publish(name(), table(all, mebibytes), picture(all, mebibytes));
        }
    }

    private static String table(List<Pairs> all, int mebibytes) {
        StringBuilder text = new StringBuilder(
                "| " + mebibytes
                        + " MiB to three receivers | seconds alone | seconds beside a fourth that is stopped | ratio |\n|---|---|---|---|\n");
        all.forEach(pairs -> text.append("| ")
                .append(pairs.name())
                .append(" | ")
                .append(pairs.alone().shown(2))
                .append(" | ")
                .append(pairs.beside().shown(2))
                .append(" | ")
                .append(pairs.beside().over(pairs.alone()).shown(3))
                .append(" |\n"));
        return text.toString();
    }

    private static String picture(List<Pairs> all, int mebibytes) {
        Bars bars = new Bars().group(mebibytes + " MiB to three receivers, seconds to the last");
        for (Pairs pairs : all) {
            boolean ours = pairs.name().equals("Longhaul");
            bars.bar(pairs.name(), pairs.alone(), ours).bar(pairs.name() + ", beside a stopped", pairs.beside(), ours);
        }
        return bars.svg();
    }

    private static double floor(Setting setting, Path source, boolean stopped) {
        try (Stage stage = Stage.open(setting.round(), setting.programs())) {
            Floor floor = Floor.ofMessages();
            floor.start(stage, RECEIVERS);
            if (stopped) {
                floor.addStopped();
            }
            Trial.settle();
            return floor.run(source);
        } finally {
            Trees.delete(setting.round());
        }
    }

    private static double longhaul(Setting setting, Path source, boolean stopped) {
        try (Testbed testbed = Testbed.open(setting.round())) {
            Network network = Network.of(testbed, "--backlog-limit", "512MiB");
            network.broker().withMachine("-Xmx2g").startReady();
            if (stopped) {
                network.subscriber("stopped", "stopped").startReady().pause();
            }
            List<Node> subscribers = network.subscribers("receiver", RECEIVERS, "stopped");
            subscribers.forEach(Node::startReady);
            Trial.settle();
            Child publisher = network.publisher("publisher", source, "stopped", "--wait", "3")
                    .start();
            long last = publisher.startedNanos();
            for (Node subscriber : subscribers) {
                last = Math.max(
                        last,
                        subscriber
                                .child()
                                .awaitEvents("delivered", 1, PATIENCE)
                                .get(0)
                                .atNanos());
            }
            publisher.expectExit(0);
            Setting.say(
                    "broker's disk: %d MiB",
                    Trees.allocatedBytes(network.broker().data()) / TestFile.MIB);
            return (last - publisher.startedNanos()) / 1e9;
        } finally {
            Trees.delete(setting.round());
        }
    }
}
