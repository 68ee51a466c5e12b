package io.longhaul.it.bench.row;

import io.longhaul.it.testbed.TestFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Measures one row.
 *
 * <p>Arguments: its name, work directory, directory of programs, rounds, size ({@code full}, {@code quick}, {@code tiny}),
 * and a regular expression for the contenders that alone take part, empty for all. Table and picture are left in the work
 * directory under {@code results}.
 */
public final class Rows {
    private static final List<Row> ALL = List.of(
            new OneFile(),
            new SmallFiles("small", 10_000, 4 * TestFile.KIB),
            new SmallFiles("smaller", 100_000, TestFile.KIB),
            OneToMany.onLoopback("many", 1, 4, 16),
            OneToMany.onLoopback("all", 1, 2, 4, 8, 16, 32),
            OneToMany.atSites("tree", 1, 2, 4, 8, 16),
            OneToMany.atSlowSites("slow", 1, 4, 16),
            new FailureCost(),
            new Bridge(),
            new Far(),
            new Scale(),
            new Micro(),
            new Stopped());

    private Rows() {}

    public static void main(String[] arguments) throws Exception {
        Setting setting = new Setting(
                Path.of(arguments[1]),
                Path.of(arguments[2]),
                Integer.parseInt(arguments[3]),
                Setting.Size.valueOf(arguments[4].toUpperCase(Locale.ROOT)),
                arguments[5]);
        for (Row row : ALL) {
            if (row.name().equals(arguments[0])) {
                row.measure(setting);
                return;
            }
        }
        throw new IllegalArgumentException("no row " + arguments[0]);
    }
}
