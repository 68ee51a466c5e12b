package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Floor;
import io.longhaul.it.bench.contender.Globus;
import io.longhaul.it.bench.contender.Longhaul;
import io.longhaul.it.bench.contender.Nats;
import io.longhaul.it.bench.contender.Rsync;
import io.longhaul.it.bench.contender.Scp;
import io.longhaul.it.testbed.TestFile;
import java.nio.file.Path;

/** One file of 1 GiB to one receiver, until it is on the receiver's disk. */
final class OneFile implements Row {
    private static final int MIB = 1024;
    private static final double MEGA = 1e6;

    @Override
    public String name() {
        return "one";
    }

    @Override
    public void measure(Setting setting) {
        long bytes = setting.size().of(MIB) * TestFile.MIB;
        Comparison comparison = new Comparison(setting, 1)
                .with("Longhaul", Longhaul::new)
                .withWarm("Longhaul at work", Longhaul::new)
                .with("floor: Artemis alone", Floor::new)
                .withWarm("floor at work", Floor::new)
                .with("NATS object store", Nats::new)
                .withWarm("NATS at work", Nats::new)
                .with("globus-url-copy", Globus::new)
                .with("globus-url-copy -p 4", () -> new Globus("-p", "4"))
                .with("rsync --fsync", Rsync::new)
                .with("scp", Scp::new);
        OneReceiver shown = new OneReceiver(comparison, bytes / MEGA, "MB", bytes);
        Path before = TestFile.random(setting.work().resolve("before.bin"), -1, bytes);
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, bytes);
            comparison.round(round, source, before);
            setting.publish(name(), shown.table(), shown.picture(bytes / TestFile.MIB + " MiB to one receiver"));
        }
    }
}
