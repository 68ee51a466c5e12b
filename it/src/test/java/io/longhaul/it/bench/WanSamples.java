package io.longhaul.it.bench;

import io.longhaul.it.bench.WanContest.Sample;
import io.longhaul.it.testbed.Wan.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that was measured on emulated networks, in a file that later runs add to: a line for each measurement, of round trip,
 * loss, rate, round, contender, Mbit/s, CPU seconds per GiB and commit. Thread-safe.
 */
final class WanSamples {
    /** Before the number of streams, for what iperf3 did. */
    static final String IPERF = "iperf3 -P ";

    /** Before the number of streams, for what globus-url-copy did. */
    static final String GLOBUS = "globus-url-copy -p ";

    /** What a single flow of iperf3 has beside others. */
    static final String BESIDE_IPERF = "beside iperf3 -P 4";

    static final String BESIDE_FOUR = "beside 4";
    static final String BESIDE_AUTO = "beside auto";

    private static final String NAME = "wan.tsv";
    private final Path file;

    private WanSamples(Path file) {
        this.file = file;
    }

    static WanSamples in(Path directory) {
        return new WanSamples(directory.resolve(NAME));
    }

    synchronized void add(Link link, int round, String contender, Sample sample, String commit) {
        String line = String.join(
                "\t",
                link.rtt(),
                link.loss(),
                link.rate(),
                Integer.toString(round),
                contender,
                Double.toString(sample.megabits()),
                Double.toString(sample.cpuSeconds()),
                commit);
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be written", e);
        }
    }

    /** Returns the samples of a contender on a link by their rounds; of two of a round the later one. */
    synchronized Map<Integer, Sample> of(Link link, String contender) {
        Map<Integer, Sample> found = new TreeMap<>();
        for (String line : lines()) {
            String[] part = line.split("\t");
            if (part[0].equals(link.rtt())
                    && part[1].equals(link.loss())
                    && part[2].equals(link.rate())
                    && part[4].equals(contender)) {
                found.put(
                        Integer.parseInt(part[3]),
                        new Sample(Double.parseDouble(part[5]), Double.parseDouble(part[6])));
            }
        }
        return found;
    }

    /** Returns the links in the order in which they were measured first. */
    synchronized List<Link> links() {
        return lines().stream()
                .map(line -> line.split("\t"))
                .map(part -> new Link(part[0], part[1], part[2]))
                .distinct()
                .toList();
    }

    /** Returns the commits that were measured, in their order. */
    synchronized List<String> commits() {
        return lines().stream().map(line -> line.split("\t")[7]).distinct().toList();
    }

    private List<String> lines() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }
}
