package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.FarServer;
import io.longhaul.it.bench.contender.GridFtpCopy;
import io.longhaul.it.bench.contender.Trial;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Trees;
import io.longhaul.it.testbed.Wan.Link;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Seconds per phase of uploads of 25 to 400 MB with one and two streams, direct and bridged, over a link without loss: the tables
 * of "GridFTP and Parallel TCP Support in NaradaBrokering" (ICA3PP 2005).
 */
final class Phases {
    private static final Link LINK = new Link("50ms", "0", "200mbit");
    private static final int[] MEGABYTES = {25, 50, 100, 200, 400};
    private static final List<String> NAMES = List.of("login", "begin", "data", "end");

    private final Setting setting;
    private final Path before;
    private final Map<Case, List<Figures>> found = new LinkedHashMap<>();

    private record Case(int megabytes, int streams, boolean isBridged) {}

    /** Takes a file that is brought first and not measured. */
    Phases(Setting setting, Path before) {
        this.setting = setting;
        this.before = before;
    }

    /** Measures each once. */
    void round(int number) {
        for (int megabytes : MEGABYTES) {
            Path source = TestFile.random(
                    setting.work().resolve("source.bin"), number, setting.size().of(megabytes) * 1_000_000L);
            for (int streams = 1; streams <= 2; streams++) {
                for (boolean bridged : new boolean[] {number % 2 == 0, number % 2 == 1}) {
                    one(new Case(megabytes, streams, bridged), source, number);
                }
            }
        }
    }

    private void one(Case which, Path source, int seed) {
        GridFtpCopy copy = new GridFtpCopy(
                new FarServer(LINK, which.isBridged(), seed),
                true,
                List.of("-dbg", "-p", Integer.toString(which.streams())));
        try {
            Trial.of(setting.round(), setting.programs(), copy, source, 1, Optional.of(before));
        } catch (AssertionError e) {
            Setting.say("FAILED: %s: %s", which, e.getMessage());
            return;
        } finally {
            Trees.delete(setting.round());
        }
        List<Double> phases = copy.phases();
        List<Figures> figures = found.computeIfAbsent(
                which, each -> NAMES.stream().map(name -> new Figures()).toList());
        for (int i = 0; i < phases.size(); i++) {
            figures.get(i).add(phases.get(i));
        }
        Setting.say("%s: %s", which, phases);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("\n| MB | streams | way | " + String.join(", s | ", NAMES)
                + ", s | sum, s | bridged : direct |\n|---|---|---|---|---|---|---|---|---|\n");
        found.forEach((which, figures) -> {
            List<Double> medians = figures.stream().map(Figures::median).toList();
            text.append(String.format(
                    Locale.ROOT,
                    "| %d | %d | %s | %s | %.2f | %s |%n",
                    setting.size().of(which.megabytes()),
                    which.streams(),
                    which.isBridged() ? "bridged" : "direct",
                    medians.stream()
                            .map(each -> String.format(Locale.ROOT, "%.2f", each))
                            .collect(Collectors.joining(" | ")),
                    sum(which),
                    which.isBridged() ? ratio(which) : ""));
        });
        return text.toString();
    }

    private double sum(Case which) {
        return found.get(which).stream().mapToDouble(Figures::median).sum();
    }

    private String ratio(Case bridged) {
        Case direct = new Case(bridged.megabytes(), bridged.streams(), false);
        return found.containsKey(direct) ? String.format(Locale.ROOT, "%.2f", sum(bridged) / sum(direct)) : "-";
    }
}
