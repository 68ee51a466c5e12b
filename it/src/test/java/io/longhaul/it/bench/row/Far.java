package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.FarServer;
import io.longhaul.it.bench.contender.FtpLatency;
import io.longhaul.it.bench.contender.GridFtpCopy;
import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.row.Comparison.Column;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Wan.Link;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An unmodified client and a server 50 ms away: the client goes there itself, or to a front beside it. */
final class Far implements Row {
    private static final String RTT = "50ms";
    private static final String LOSS = "0.01%";
    private static final String DIRECT = "direct";
    private static final String BRIDGED = "Longhaul, bridged";
    private static final double FULL_SHARE = 0.8;

    /** Fronts and backs serve for days, not for their first seconds. */
    private static final int BEFORE_MIB = 16;

    private static final FtpLatency.Counts LATENCY = new FtpLatency.Counts(10, 50, 50);

    /**
     * Copies of one kind.
     *
     * @param rate of the link, in Mbit/s
     * @param mebibytes which take the client about half a minute
     */
    private record Kind(int rate, int streams, boolean isUpload, int mebibytes) {
        Link link() {
            return new Link(RTT, LOSS, rate + "mbit");
        }

        List<String> options() {
            return List.of("-p", Integer.toString(streams));
        }
    }

    private final Map<String, Figures> latencies = new TreeMap<>();
    private int round;

    @Override
    public String name() {
        return "far";
    }

    @Override
    public void measure(Setting setting) throws IOException {
        List<Kind> kinds = new ArrayList<>();
        for (int streams : new int[] {1, 2, 4, 8}) {
            for (boolean upload : new boolean[] {true, false}) {
                kinds.add(new Kind(200, streams, upload, Math.min(150 * streams, 450)));
                kinds.add(new Kind(1000, streams, upload, Math.min(200 * streams, 1200)));
            }
        }
        List<Comparison> comparisons =
                kinds.stream().map(kind -> comparison(setting, kind)).toList();
        Path before = TestFile.random(setting.work().resolve("before.bin"), -1, BEFORE_MIB * TestFile.MIB);
        Phases phases = new Phases(setting, before);
        for (round = 1; round <= setting.rounds(); round++) {
            for (int i = 0; i < kinds.size(); i++) {
                Path source = source(setting, kinds.get(i).mebibytes());
                comparisons.get(i).round(round, source, before);
                setting.publish(name(), table(setting, kinds, comparisons) + phases, picture(kinds, comparisons));
            }
            phases.round(round);
            latency(setting);
            setting.publish(name(), table(setting, kinds, comparisons) + phases, picture(kinds, comparisons));
        }
    }

    private Path source(Setting setting, int mebibytes) {
        return TestFile.random(
                setting.work().resolve("source.bin"), round, setting.size().of(mebibytes) * TestFile.MIB);
    }

    private Comparison comparison(Setting setting, Kind kind) {
        return new Comparison(setting, 1)
                .withWarm(
                        BRIDGED,
                        () -> new GridFtpCopy(new FarServer(kind.link(), true, round), kind.isUpload(), kind.options()))
                .withWarm(
                        DIRECT,
                        () -> new GridFtpCopy(
                                new FarServer(kind.link(), false, round), kind.isUpload(), kind.options()));
    }

    private void latency(Setting setting) throws IOException {
        Link link = new Link(RTT, "0", "1000mbit");
        for (boolean bridged : new boolean[] {true, false}) {
            FtpLatency found = FarServer.latency(setting.round(), setting.programs(), link, bridged, LATENCY);
            String who = bridged ? BRIDGED : DIRECT;
            found.logins().forEach(each -> add("login, " + who, each));
            found.commands().forEach(each -> add("MLST, " + who, each));
        }
    }

    private void add(String what, double milliseconds) {
        latencies.computeIfAbsent(what, name -> new Figures()).add(milliseconds);
    }

    private String table(Setting setting, List<Kind> kinds, List<Comparison> comparisons) {
        StringBuilder text =
                new StringBuilder("| link, Mbit/s | copy | MiB | direct, s | its part of the link | bridged, s"
                        + " | bridged : direct | goal | over the link / file, direct | bridged | CPU s/GiB, direct | bridged |\n"
                        + "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
        StringBuilder remarks = new StringBuilder();
        for (int i = 0; i < kinds.size(); i++) {
            Kind kind = kinds.get(i);
            Comparison comparison = comparisons.get(i);
            remarks.append(comparison.remarks());
            if (comparison.columns().size() == 2) {
                text.append(line(setting, kind, comparison));
            }
        }
        text.append("\n| what, over 50 ms | ms |\n|---|---|\n");
        latencies.forEach((what, figures) -> text.append("| ")
                .append(what)
                .append(" | ")
                .append(figures.shown(1))
                .append(" |\n"));
        return text.append(remarks).toString();
    }

    private static String line(Setting setting, Kind kind, Comparison comparison) {
        Column direct = comparison.column(DIRECT).orElseThrow();
        Column bridged = comparison.column(BRIDGED).orElseThrow();
        int mebibytes = setting.size().of(kind.mebibytes());
        double bytes = mebibytes * (double) TestFile.MIB;
        double share = bytes * 8 / 1e6 / direct.seconds().median() / kind.rate();
        return String.format(
                Locale.ROOT,
                "| %d | %s -p %d | %d | %s | %.0f %% | %s | %s | %s | %s | %s | %s | %s |%n",
                kind.rate(),
                kind.isUpload() ? "up" : "down",
                kind.streams(),
                mebibytes,
                direct.seconds().shown(1),
                100 * share,
                bridged.seconds().shown(1),
                bridged.ratio(direct).shown(2),
                share < FULL_SHARE ? "1.0 at most" : "1.05 at most",
                direct.network().mapped(sent -> sent / bytes).shown(2),
                bridged.network().mapped(sent -> sent / bytes).shown(2),
                direct.cpu().mapped(cpu -> cpu * TestFile.GIB / bytes).shown(1),
                bridged.cpu().mapped(cpu -> cpu * TestFile.GIB / bytes).shown(1));
    }

    private static String picture(List<Kind> kinds, List<Comparison> comparisons) {
        Bars bars = new Bars();
        for (int i = 0; i < kinds.size(); i++) {
            Kind kind = kinds.get(i);
            bars.group(String.format(
                    Locale.ROOT,
                    "%d Mbit/s, %s -p %d: seconds",
                    kind.rate(),
                    kind.isUpload() ? "up" : "down",
                    kind.streams()));
            comparisons.get(i).columns().forEach(column -> bars.bar(column.name(), column.seconds(), column.isOurs()));
        }
        return bars.svg();
    }
}
