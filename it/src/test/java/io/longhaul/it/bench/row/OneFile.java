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
                .with("floor: Artemis alone", Floor::ofMessages)
                .withWarm("floor at work", Floor::ofMessages)
                .withWarm("prototype: bytes beside messages", Floor::ofClaims)
                .with("NATS object store", Nats::new)
                .withWarm("NATS at work", Nats::new)
                .with("globus-url-copy", Globus::new)
                .with("globus-url-copy -p 4", () -> new Globus("-p", "4"))
                .with("rsync --fsync", Rsync::new)
                .with("scp", Scp::new);
        OneReceiver shown = OneReceiver.ofBytes(comparison, bytes);
        Path before = TestFile.random(setting.work().resolve("before.bin"), -1, bytes);
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, bytes);
            comparison.round(round, source, before);
            setting.publish(
                    name(),
                    shown.table() + goals(comparison),
                    shown.picture(bytes / TestFile.MIB + " MiB to one receiver"));
        }
    }

    private static Goals goals(Comparison comparison) {
        return new Goals()
                .speed(comparison, "Longhaul", "NATS object store", "1.2 at least")
                .speed(comparison, "Longhaul at work", "NATS at work", "1.2 at least")
                .speed(comparison, "floor at work", "NATS at work", "Artemis's own limit")
                .cpu(comparison, "Longhaul", "floor: Artemis alone", "1.25 at most")
                .cpu(comparison, "Longhaul at work", "floor at work", "1.25 at most")
                .speed(comparison, "prototype: bytes beside messages", "floor at work", "what a data plane would gain")
                .cpu(comparison, "prototype: bytes beside messages", "floor at work", "what a data plane would gain")
                .speed(comparison, "Longhaul at work", "rsync --fsync", "next: 1.0")
                .speed(comparison, "Longhaul at work", "globus-url-copy", "next: 1.0");
    }
}
