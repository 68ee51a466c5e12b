package io.longhaul.it.bench;

import io.longhaul.it.bench.WanContest.Sample;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.Wan.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What {@link WanSamples} holds as a table, and as a picture of the medians.
 *
 * <p>Arguments: the work directory and the file of the picture. The table goes to standard output.
 */
public final class WanTable {
    private static final List<String> STREAMS = List.of("1", "2", "4", "8", "16");

    private final WanSamples samples;

    private WanTable(WanSamples samples) {
        this.samples = samples;
    }

    public static void main(String[] arguments) throws IOException {
        WanSamples samples = WanSamples.in(Path.of(arguments[0]));
        WanTable table = new WanTable(samples);
        List<Link> links = samples.links().stream()
                .sorted(Comparator.comparing((Link link) -> -number(link.rate()))
                        .thenComparing(link -> number(link.loss()))
                        .thenComparing(link -> number(link.rtt())))
                .toList();
        System.out.println(
                "| rate | RTT | loss | streams | parallel TCP, Mbit/s | iperf3, Mbit/s | ratio | globus-url-copy -p, Mbit/s | ratio | CPU s/GiB | iperf3 |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        links.forEach(table::rows);
        table.besides(links);
        System.out.println("\nMeasured at " + String.join(", ", samples.commits()) + ".");
        Files.writeString(Path.of(arguments[1]), WanPicture.of(samples, fastest(links), STREAMS));
    }

    private void besides(List<Link> links) {
        List<Link> shared = links.stream()
                .filter(link -> !samples.of(link, WanSamples.BESIDE_IPERF).isEmpty())
                .toList();
        if (shared.isEmpty()) {
            return;
        }
        System.out.println();
        System.out.println(
                "| rate | RTT | loss | Mbit/s of a single flow beside iperf3 -P 4 | beside 4 streams | beside auto |");
        System.out.println("|---|---|---|---|---|---|");
        for (Link link : shared) {
            System.out.println("| "
                    + String.join(
                            " | ",
                            link.rate(),
                            link.rtt(),
                            link.loss(),
                            shown(samples.of(link, WanSamples.BESIDE_IPERF), Sample::megabits, 0),
                            shown(samples.of(link, WanSamples.BESIDE_FOUR), Sample::megabits, 0),
                            shown(samples.of(link, WanSamples.BESIDE_AUTO), Sample::megabits, 0))
                    + " |");
        }
    }

    /** The picture has room for one rate. */
    private static List<Link> fastest(List<Link> links) {
        return links.stream()
                .filter(link -> link.rate().equals(links.get(0).rate()))
                .toList();
    }

    private static double number(String text) {
        return Double.parseDouble(text.replaceAll("[^0-9.]", ""));
    }

    private void rows(Link link) {
        for (String streams : STREAMS) {
            Map<Integer, Sample> ours = samples.of(link, streams);
            Map<Integer, Sample> theirs = samples.of(link, WanSamples.IPERF + streams);
            if (!ours.isEmpty()) {
                row(link, streams, ours, shown(theirs, Sample::megabits, 0), ratio(ours, theirs), cpu(theirs));
            }
        }
        Map<Integer, Sample> auto = samples.of(link, "auto");
        Optional<String> best = STREAMS.stream()
                .filter(streams -> !samples.of(link, streams).isEmpty())
                .max(Comparator.comparing(streams ->
                        figures(samples.of(link, streams), Sample::megabits).median()));
        if (!auto.isEmpty()) {
            best.ifPresent(streams -> row(
                    link,
                    "auto",
                    auto,
                    "best of ours: " + streams + " streams",
                    ratio(auto, samples.of(link, streams)),
                    "-"));
        }
        Map<Integer, Sample> published = samples.of(link, "publish");
        if (!published.isEmpty()) {
            row(link, "publish to subscribe", published, "ptcp-perf, auto", ratio(published, auto), "-");
        }
    }

    private void row(
            Link link, String streams, Map<Integer, Sample> ours, String other, String ratio, String otherCpu) {
        Map<Integer, Sample> globus = samples.of(link, WanSamples.GLOBUS + streams);
        System.out.println("| "
                + String.join(
                        " | ",
                        link.rate(),
                        link.rtt(),
                        link.loss(),
                        streams,
                        shown(ours, Sample::megabits, 0),
                        other,
                        ratio,
                        shown(globus, Sample::megabits, 0),
                        ratio(ours, globus),
                        cpu(ours),
                        otherCpu)
                + " |");
    }

    private static String cpu(Map<Integer, Sample> of) {
        return of.values().stream().anyMatch(sample -> Double.isNaN(sample.cpuSeconds()))
                ? "-"
                : shown(of, Sample::cpuSeconds, 1);
    }

    private static String shown(Map<Integer, Sample> of, ToDoubleFunction<Sample> value, int decimals) {
        return figures(of, value).shown(decimals);
    }

    private static Figures figures(Map<Integer, Sample> of, ToDoubleFunction<Sample> value) {
        Figures figures = new Figures();
        of.values().forEach(sample -> figures.add(value.applyAsDouble(sample)));
        return figures;
    }

    /** Of the rounds that both have, as only those have the same losses. */
    private static String ratio(Map<Integer, Sample> ours, Map<Integer, Sample> theirs) {
        Figures ratios = new Figures();
        ours.keySet().stream()
                .filter(theirs::containsKey)
                .forEach(round -> ratios.add(
                        ours.get(round).megabits() / theirs.get(round).megabits()));
        return ratios.shown(2);
    }
}
