package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Floor;
import io.longhaul.it.bench.contender.GlobusToMany;
import io.longhaul.it.bench.contender.Longhaul;
import io.longhaul.it.bench.contender.LonghaulSites;
import io.longhaul.it.bench.contender.Nats;
import io.longhaul.it.bench.contender.NginxAndCurl;
import io.longhaul.it.bench.contender.Sites;
import io.longhaul.it.bench.contender.Uftp;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.measure.Lines;
import io.longhaul.it.bench.row.Comparison.Column;
import io.longhaul.it.testbed.TestFile;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** One file of 200 MiB to many receivers, until the last has it on its disk, on this machine or at sites of a network. */
final class OneToMany implements Row {
    private static final int MIB = 200;
    private static final String TREE = "Longhaul, a tree";
    private static final String FLOOR = "floor: Artemis alone";
    private static final String FLOOR_AT_WORK = "floor at work";
    private static final String SLOW_RATE = "25mbit";
    private static final double GIB = 1L << 30;

    private final String name;
    private final UnaryOperator<Comparison> contenders;
    private final List<Integer> counts;

    private OneToMany(String name, UnaryOperator<Comparison> contenders, Integer... counts) {
        this.name = name;
        this.contenders = contenders;
        this.counts = List.of(counts);
    }

    static OneToMany onLoopback(String name, Integer... counts) {
        return new OneToMany(name, OneToMany::onLoopback, counts);
    }

    /** Those whose sender sends one copy for each receiver take minutes, and have their turn once. */
    static OneToMany atSites(String name, Integer... counts) {
        return new OneToMany(name, OneToMany::atSites, counts);
    }

    /** At this rate two cores carry all copies as fast as the links do. */
    static OneToMany atSlowSites(String name, Integer... counts) {
        return new OneToMany(
                name,
                comparison -> comparison.withWarm(TREE + " at work", () -> new LonghaulSites(true, SLOW_RATE)),
                counts);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void measure(Setting setting) {
        long bytes = setting.size().of(MIB) * TestFile.MIB;
        List<Comparison> comparisons = counts.stream()
                .map(count -> contenders.apply(new Comparison(setting, count)))
                .toList();
        Path before = TestFile.random(setting.work().resolve("before.bin"), -1, bytes);
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, bytes);
            for (Comparison comparison : comparisons) {
                comparison.round(round, source, before);
                setting.publish(name, table(comparisons, bytes), picture(comparisons, bytes));
            }
        }
    }

    private static Comparison onLoopback(Comparison comparison) {
        return comparison
                .with("Longhaul", Longhaul::new)
                .withWarm("Longhaul at work", Longhaul::new)
                .with(FLOOR, Floor::ofMessages)
                .withWarm(FLOOR_AT_WORK, Floor::ofMessages)
                .with("NATS object store", Nats::new)
                .withWarm("NATS at work", Nats::new)
                .with("nginx and curl", NginxAndCurl::onLoopback)
                .with("globus-url-copy, serial", () -> GlobusToMany.onLoopback(false))
                .with("globus-url-copy -MC", () -> GlobusToMany.onLoopback(true))
                .with("uftp, multicast", Uftp::new);
    }

    private static Comparison atSites(Comparison comparison) {
        return comparison
                .with(TREE, () -> new LonghaulSites(true, Sites.RATE))
                .withWarm(TREE + " at work", () -> new LonghaulSites(true, Sites.RATE))
                .with("globus-url-copy -MC", () -> GlobusToMany.atSites(true))
                .withOnce("Longhaul, all at one", () -> new LonghaulSites(false, Sites.RATE))
                .withOnce("nginx and curl", NginxAndCurl::atSites)
                .withOnce("globus-url-copy, serial", () -> GlobusToMany.atSites(false));
    }

    private String table(List<Comparison> comparisons, long bytes) {
        StringBuilder text = new StringBuilder(
                "| receivers | what | seconds to the last | Longhaul : it | Longhaul at"
                        + " work : it | sum of MB/s | CPU s/GiB delivered | sent bytes / file | written / delivered | peak RSS, MiB |\n");
        text.append("|---|---|---|---|---|---|---|---|---|---|\n");
        StringBuilder remarks = new StringBuilder();
        for (Comparison comparison : comparisons) {
            double delivered = (double) bytes * comparison.receivers();
            List<Column> ours =
                    comparison.columns().stream().filter(Column::isOurs).toList();
            for (Column column : comparison.columns()) {
                text.append("| ")
                        .append(comparison.receivers())
                        .append(" | ")
                        .append(column.name())
                        .append(" | ")
                        .append(column.seconds().shown(2))
                        .append(" | ");
                for (int i = 0; i < 2; i++) {
                    text.append(i < ours.size() ? column.ratio(ours.get(i)).shown(2) : "-")
                            .append(" | ");
                }
                text.append(column.seconds()
                                .mapped(seconds -> delivered / 1e6 / seconds)
                                .shown(0))
                        .append(" | ")
                        .append(column.cpu()
                                .mapped(cpu -> cpu * GIB / delivered)
                                .shown(2))
                        .append(" | ")
                        .append(column.network().mapped(sent -> sent / bytes).shown(1))
                        .append(" | ")
                        .append(column.written()
                                .mapped(written -> written / delivered)
                                .shown(2))
                        .append(" | ")
                        .append(column.memory())
                        .append(" |\n");
            }
            remarks.append(comparison.remarks());
        }
        return text.append(remarks).append(goals(comparisons)).toString();
    }

    private static Goals goals(List<Comparison> comparisons) {
        Goals goals = new Goals();
        for (Comparison comparison : comparisons) {
            if (comparison.receivers() == 16) {
                goals.speed(comparison, "Longhaul", "NATS object store", "1.2 at least")
                        .speed(comparison, "Longhaul at work", "NATS at work", "1.2 at least")
                        .speed(comparison, FLOOR_AT_WORK, "NATS at work", "Artemis's own limit")
                        .cpu(comparison, "Longhaul", FLOOR, "to be told")
                        .cpu(comparison, "Longhaul at work", FLOOR_AT_WORK, "to be told")
                        .seconds(comparison, "Longhaul", FLOOR, "to be told")
                        .seconds(comparison, "Longhaul at work", FLOOR_AT_WORK, "to be told")
                        .speed(comparison, "Longhaul at work", "nginx and curl", "to be told");
            }
        }
        growth(goals, comparisons);
        return goals;
    }

    /** Adds how much longer the most receivers took than one. */
    private static void growth(Goals goals, List<Comparison> comparisons) {
        Comparison one = comparisons.get(0);
        Comparison most = comparisons.get(comparisons.size() - 1);
        if (one == most) {
            return;
        }
        for (Column column : most.columns()) {
            one.column(column.name())
                    .ifPresent(alone -> goals.add(
                            "seconds to " + most.receivers() + " : seconds to " + one.receivers() + ", "
                                    + column.name(),
                            column.seconds().over(alone.seconds()),
                            column.name().startsWith(TREE) ? "1.2 at most" : "to be told"));
        }
    }

    private static String picture(List<Comparison> comparisons, long bytes) {
        Lines lines = new Lines(bytes / TestFile.MIB + " MiB: seconds to the last, over the number of receivers");
        for (Comparison comparison : comparisons) {
            for (Column column : comparison.columns()) {
                Figures seconds = column.seconds();
                lines.point(column.name(), comparison.receivers(), seconds);
            }
        }
        return lines.svg();
    }
}
