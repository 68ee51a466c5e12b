package io.longhaul.it.bench;

import io.longhaul.it.bench.WanContest.Sample;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import io.longhaul.it.testbed.Wan;
import io.longhaul.it.testbed.Wan.Link;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Parallel TCP beside iperf3 on emulated long fat networks.
 *
 * <p>Arguments: work directory, the emulator's command, seconds of a measurement, first round, last round, how many links
 * are measured at once, rate of all links, links as {@code RTT:LOSS} separated by commas, and what to measure: {@code 4}
 * for four streams of both, {@code auto}, {@code globus} for globus-url-copy with the same numbers of streams, {@code publish},
 * {@code beside}, separated by commas, and the commit that is measured. Results are added to {@link WanSamples}'s file in the
 * work directory.
 */
public final class WanBenchmark {
    private final Path work;
    private final Path command;
    private final int seconds;
    private final WanSamples samples;
    private final String commit;
    private final Map<String, Map<String, Double>> rates = new TreeMap<>(); // by link and streams; guarded by this

    private WanBenchmark(Path work, Path command, int seconds, WanSamples samples, String commit) {
        this.work = work;
        this.command = command;
        this.seconds = seconds;
        this.samples = samples;
        this.commit = commit;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Path.of(arguments[0]);
        WanSamples samples = WanSamples.in(work);
        WanBenchmark benchmark =
                new WanBenchmark(work, Path.of(arguments[1]), Integer.parseInt(arguments[2]), samples, arguments[9]);
        int first = Integer.parseInt(arguments[3]);
        int last = Integer.parseInt(arguments[4]);
        List<String> contenders = List.of(arguments[8].split(","));
        ExecutorService threads = Executors.newFixedThreadPool(Integer.parseInt(arguments[5]));
        try {
            for (int round = first; round <= last; round++) {
                List<Future<?>> running = new ArrayList<>();
                for (String text : arguments[7].split(",")) {
                    Link link = Link.of(text, arguments[6]);
                    int seed = round;
                    running.add(threads.submit(() -> contenders.forEach(each -> benchmark.measure(link, seed, each))));
                }
                for (Future<?> each : running) {
                    each.get();
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private void measure(Link link, int round, String contender) {
        switch (contender) {
            case "publish" ->
                one(link, round, contender, contest -> {
                    long bytes = (long) (rate(link) * 1e6 / 8 * seconds);
                    return contest.publish(TestFile.random(directory(link).resolve("source.bin"), round, bytes));
                });
            case "beside" -> {
                one(link, round, WanSamples.BESIDE_IPERF, contest -> contest.flowBeside(false, "4"));
                one(link, round, WanSamples.BESIDE_FOUR, contest -> contest.flowBeside(true, "4"));
                one(link, round, WanSamples.BESIDE_AUTO, contest -> contest.flowBeside(true, "auto"));
            }
            case "auto" -> one(link, round, contender, contest -> contest.perf("auto"));
            case "globus" ->
                fixed(link)
                        .forEach((streams, megabits) -> one(
                                link,
                                round,
                                WanSamples.GLOBUS + streams,
                                contest -> contest.globus(streams, megabits)));
            default -> {
                one(link, round, contender, contest -> contest.perf(contender));
                one(link, round, WanSamples.IPERF + contender, contest -> contest.iperf(contender));
            }
        }
    }

    private interface Measurement {
        Sample by(WanContest contest);
    }

    private void one(Link link, int round, String contender, Measurement measurement) {
        String name = directory(link).getFileName().toString();
        try (Testbed testbed = Testbed.open(directory(link));
                Wan wan = Wan.up(command, name, link, round)) {
            Sample sample = measurement.by(new WanContest(testbed, wan, seconds));
            samples.add(link, round, contender, sample, commit);
            if (contender.matches("auto|[0-9]+")) {
                remember(link, contender, sample.megabits());
            }
            System.err.printf(
                    Locale.ROOT,
                    "%s %s round %d, %s: %.1f Mbit/s, %.2f CPU s/GiB%n",
                    link.rtt(),
                    link.loss(),
                    round,
                    contender,
                    sample.megabits(),
                    sample.cpuSeconds());
        } finally {
            Trees.delete(directory(link));
        }
    }

    private synchronized void remember(Link link, String streams, double megabits) {
        rates.computeIfAbsent(link.toString(), name -> new TreeMap<>()).put(streams, megabits);
    }

    /** Files are as long as the link carries in the time of a measurement. */
    private synchronized double rate(Link link) {
        Double rate = rates.getOrDefault(link.toString(), Map.of()).get("auto");
        if (rate == null) {
            throw new AssertionError("publish is measured after auto, which tells how long the file must be");
        }
        return rate;
    }

    /** Returns what fixed numbers of streams carried. */
    private synchronized Map<String, Double> fixed(Link link) {
        Map<String, Double> all = new TreeMap<>(rates.getOrDefault(link.toString(), Map.of()));
        all.remove("auto");
        if (all.isEmpty()) {
            throw new AssertionError(
                    "globus is measured after numbers of streams, which tell how long the files must be");
        }
        return all;
    }

    private Path directory(Link link) {
        return work.resolve(("wan-" + link.rtt() + "-" + link.loss()).replaceAll("[^a-z0-9-]", "_"));
    }
}
