package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Floor;
import io.longhaul.it.bench.contender.Globus;
import io.longhaul.it.bench.contender.Longhaul;
import io.longhaul.it.bench.contender.Rsync;
import io.longhaul.it.bench.contender.TarOverNc;
import io.longhaul.it.bench.contender.TarOverSsh;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A tree of small files to one receiver, until all are on the receiver's disk.
 *
 * <p>Nothing is removed before the row ends: for some minutes ext4 looks past each removed file whenever it makes one, which
 * takes it half a millisecond instead of a thirtieth.
 */
final class SmallFiles implements Row {
    private static final int FOLDERS = 100;
    private static final String FLOOR = "floor: Artemis alone";
    private static final String FLOOR_AT_WORK = "floor at work";
    private static final String GLOBUS = "globus-url-copy -r -fast";

    private final String name;
    private final int files;
    private final long length;

    SmallFiles(String name, int files, long length) {
        this.name = name;
        this.files = files;
        this.length = length;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void measure(Setting setting) {
        Trees.delete(setting.work().resolve("kept"));
        int count = setting.size().of(files);
        Path kept = setting.work().resolve("kept");
        AtomicInteger turns = new AtomicInteger();
        Comparison comparison = new Comparison(
                        setting, 1, turn -> keep(turn, kept.resolve(Integer.toString(turns.incrementAndGet()))))
                .with("Longhaul", Longhaul::new)
                .withWarm("Longhaul at work", Longhaul::new)
                .with(FLOOR, Floor::ofMessages)
                .withWarm(FLOOR_AT_WORK, Floor::ofMessages)
                .with(GLOBUS, () -> new Globus("-fast"))
                .with("rsync --fsync", Rsync::new)
                .with("tar over ssh", TarOverSsh::new)
                .with("tar over nc", TarOverNc::new);
        OneReceiver shown = OneReceiver.ofFiles(comparison, count, (double) count * length);
        Path source = tree(setting.work().resolve("small"), count, 1);
        Path before = tree(setting.work().resolve("before"), count, 1 + count);
        for (int round = 1; round <= setting.rounds(); round++) {
            comparison.round(round, source, before);
            setting.publish(
                    name,
                    shown.table() + goals(comparison),
                    shown.picture(count + " files of " + length / TestFile.KIB + " KiB as a tree"));
        }
        Trees.delete(source);
        Trees.delete(before);
        Trees.delete(kept);
    }

    private static void keep(Path turn, Path as) {
        try {
            Files.createDirectories(as.getParent());
            Files.move(turn, as);
        } catch (IOException e) {
            throw new UncheckedIOException(turn + ": cannot be moved", e);
        }
    }

    private Path tree(Path directory, int count, long seed) {
        Trees.delete(directory);
        for (int i = 0; i < count; i++) {
            TestFile.random(directory.resolve("d" + i % FOLDERS).resolve("f" + i), seed + i, length);
        }
        return directory;
    }

    private static Goals goals(Comparison comparison) {
        return new Goals()
                .speed(comparison, "Longhaul", GLOBUS, "3 at least")
                .speed(comparison, "Longhaul at work", GLOBUS, "3 at least")
                .speed(comparison, FLOOR_AT_WORK, GLOBUS, "Artemis's own limit")
                .speed(comparison, "tar over nc", GLOBUS, "the kernel's own limit")
                .cpu(comparison, "Longhaul", FLOOR, "to be told")
                .cpu(comparison, "Longhaul at work", FLOOR_AT_WORK, "to be told")
                .seconds(comparison, "Longhaul", FLOOR, "to be told")
                .seconds(comparison, "Longhaul at work", FLOOR_AT_WORK, "to be told");
    }
}
