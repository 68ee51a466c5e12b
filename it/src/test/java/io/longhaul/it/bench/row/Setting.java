package io.longhaul.it.bench.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How a row is measured.
 *
 * @param work a directory for everything that comes and goes
 * @param programs a directory of programs that are not installed
 * @param rounds how often each contender has its turn
 * @param size how much is carried
 * @param only names of contenders that alone take part; empty for all
 */
record Setting(Path work, Path programs, int rounds, Size size, String only) {

    /** How much is carried; {@code TINY} is for looking whether the benchmark itself works. */
    enum Size {
        FULL(1),
        QUICK(4),
        TINY(64);

        private final int part;

        Size(int part) {
            this.part = part;
        }

        /** Returns what is left of an amount, at least one. */
        int of(int amount) {
            return Math.max(1, amount / part);
        }
    }

    /** Returns whether a contender of this name takes part. */
    boolean takes(String name) {
        return only.isEmpty() || name.matches(only);
    }

    static void say(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }

    /** Keeps the results of a row so far, where it/bench/run finds them. */
    void publish(String row, String table, String picture) {
        Path results = work.resolve("results");
        try {
            Files.createDirectories(results);
            Files.writeString(results.resolve(row + ".md"), table);
            Files.writeString(results.resolve(row + ".svg"), picture);
        } catch (IOException e) {
            throw new UncheckedIOException(results + ": cannot be written", e);
        }
    }

    /** Returns the directory of a round, empty. */
    Path round() {
        return work.resolve("round");
    }
}
