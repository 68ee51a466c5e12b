package io.longhaul.it.bench.row;

import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.row.Comparison.Column;
import java.util.function.BiFunction;

/** What a row is to show, beside what it shows: a table of its own. */
final class Goals {
    private final StringBuilder lines = new StringBuilder();

    /** Adds how many times as fast one is as the other. */
    Goals speed(Comparison comparison, String one, String other, String goal) {
        return add(comparison, one, other, "speed", goal, (first, second) -> second.ratio(first));
    }

    /** Adds how many times the other's time one takes. */
    Goals seconds(Comparison comparison, String one, String other, String goal) {
        return add(comparison, one, other, "seconds", goal, Column::ratio);
    }

    /** Adds how many times the other's CPU one takes. */
    Goals cpu(Comparison comparison, String one, String other, String goal) {
        return add(comparison, one, other, "CPU", goal, (first, second) -> second.cpuRatio(first));
    }

    private Goals add(
            Comparison comparison,
            String one,
            String other,
            String what,
            String goal,
            BiFunction<Column, Column, Figures> ratio) {
        comparison
                .column(one)
                .ifPresent(first -> comparison
                        .column(other)
                        .ifPresent(second -> add(
                                what + ", " + one + " : " + other
                                        + (comparison.receivers() > 1
                                                ? ", " + comparison.receivers() + " receivers"
                                                : ""),
                                ratio.apply(first, second),
                                goal)));
        return this;
    }

    /** Adds a line. */
    Goals add(String what, Figures found, String goal) {
        lines.append("| ")
                .append(what)
                .append(" | ")
                .append(found.shown(2))
                .append(" | ")
                .append(goal)
                .append(" |\n");
        return this;
    }

    @Override
    public String toString() {
        return lines.length() == 0 ? "" : "\n| ratio | found | goal |\n|---|---|---|\n" + lines;
    }
}
