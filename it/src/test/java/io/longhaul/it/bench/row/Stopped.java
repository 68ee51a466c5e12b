package io.longhaul.it.bench.row;

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

/** Whether a stopped receiver slows three others, in pairs. */
final class Stopped implements Row {
    private static final int MIB = 1024;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @Override
    public String name() {
        return "stopped";
    }

    @Override
    public void measure(Setting setting) {
        int mebibytes = setting.size().of(MIB);
        Figures alone = new Figures();
        Figures beside = new Figures();
        Figures ratio = new Figures();
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, mebibytes * TestFile.MIB);
            // Every other pair the other way round, so that neither is always the second.
            double first = threeReceivers(setting, source, round % 2 == 0);
            double second = threeReceivers(setting, source, round % 2 == 1);
            double three = round % 2 == 1 ? first : second;
            double four = round % 2 == 1 ? second : first;
            alone.add(three);
            beside.add(four);
            ratio.add(four / three);
            Setting.say("pair %d: three alone %.2f s, beside a stopped fourth %.2f s", round, three, four);
            String table = "| " + mebibytes + " MiB to three receivers | seconds | ratio |\n|---|---|---|\n| alone | "
                    + alone.shown(2) + " | |\n| beside a fourth that is stopped | " + beside.shown(2) + " | "
                    + ratio.shown(3) + " |\n";
            Bars bars = new Bars()
                    .group(mebibytes + " MiB to three receivers, seconds to the last")
                    .bar("three alone", alone, true)
                    .bar("beside a stopped fourth", beside, true);
            setting.publish(name(), table, bars.svg());
        }
    }

    private static double threeReceivers(Setting setting, Path source, boolean stopped) {
        try (Testbed testbed = Testbed.open(setting.round())) {
            Network network = Network.of(testbed, "--backlog-limit", "512MiB");
            network.broker().withMachine("-Xmx2g").startReady();
            if (stopped) {
                network.subscriber("stopped", "stopped").startReady().pause();
            }
            List<Node> subscribers = network.subscribers("receiver", 3, "stopped");
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
