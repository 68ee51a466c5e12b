package io.longhaul.it.bench.row;

import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Codecs, checksums and commits, by JMH: microseconds of each. */
final class Micro implements Row {
    private static final String BENCHMARKS = "io\\.longhaul\\.it\\.bench\\.micro\\..*";

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public void measure(Setting setting) throws RunnerException {
        TimeValue time = TimeValue.milliseconds(setting.size().of(2000));
        Options options = new OptionsBuilder()
                .include(BENCHMARKS)
                .output(setting.work().resolve("micro.log").toString())
                .forks(1)
                .jvmArgs("-Xmx1g")
                .warmupIterations(3)
                .warmupTime(time)
                .measurementIterations(5)
                .measurementTime(time)
                .build();
        Map<String, Figures> results = new TreeMap<>();
        for (RunResult run : new Runner(options).run()) {
            Figures figures = results.computeIfAbsent(readable(run.getParams().getBenchmark()), name -> new Figures());
            for (BenchmarkResult fork : run.getBenchmarkResults()) {
                fork.getIterationResults()
                        .forEach(iteration ->
                                figures.add(iteration.getPrimaryResult().getScore()));
            }
        }
        StringBuilder table = new StringBuilder("| what | microseconds |\n|---|---|\n");
        Bars bars = new Bars();
        results.forEach((name, figures) -> {
            table.append("| ")
                    .append(name)
                    .append(" | ")
                    .append(figures.shown(3))
                    .append(" |\n");
            bars.group(name + ", microseconds").bar("", figures, true);
        });
        setting.publish(name(), table.toString(), bars.svg());
    }

    /** Turns {@code ....CodecBenchmark.manifestEncoded} into words. */
    private static String readable(String benchmark) {
        return benchmark
                .substring(benchmark.lastIndexOf('.') + 1)
                .replaceAll("([A-Z])", " $1")
                .toLowerCase(Locale.ROOT);
    }
}
