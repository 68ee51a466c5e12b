package io.longhaul.it.bench.row;

import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.row.Comparison.Column;
import io.longhaul.it.testbed.TestFile;
import java.util.List;

/** Shows a comparison with one receiver. */
final class OneReceiver {
    private final Comparison comparison;
    private final double amount;
    private final String unit;
    private final double bytes;
    private final String cpuUnit;
    private final double cpuScale;

    private OneReceiver(
            Comparison comparison, double amount, String unit, double bytes, String cpuUnit, double cpuScale) {
        this.comparison = comparison;
        this.amount = amount;
        this.unit = unit;
        this.bytes = bytes;
        this.cpuUnit = cpuUnit;
        this.cpuScale = cpuScale;
    }

    /** Shows runs that each carry one file. */
    static OneReceiver ofBytes(Comparison comparison, double bytes) {
        return new OneReceiver(comparison, bytes / 1e6, "MB", bytes, "CPU s/GiB", TestFile.GIB / bytes);
    }

    /** Shows runs that each carry many. */
    static OneReceiver ofFiles(Comparison comparison, int files, double bytes) {
        return new OneReceiver(comparison, files, "files", bytes, "CPU ms/file", 1e3 / files);
    }

    String table() {
        List<Column> ours = comparison.columns().stream().filter(Column::isOurs).toList();
        StringBuilder text = new StringBuilder("| what | " + unit + "/s |");
        ours.forEach(column -> text.append(' ').append(column.name()).append(" : it |"));
        text.append(' ').append(cpuUnit).append(" | written / delivered | peak RSS, MiB |\n|---|---|");
        text.append("---|".repeat(ours.size())).append("---|---|---|\n");
        for (Column column : comparison.columns()) {
            text.append("| ")
                    .append(column.name())
                    .append(" | ")
                    .append(rate(column).shown(0))
                    .append(" |");
            ours.forEach(
                    one -> text.append(' ').append(column.ratio(one).shown(2)).append(" |"));
            text.append(' ').append(column.cpu().mapped(cpu -> cpu * cpuScale).shown(2));
            text.append(" | ")
                    .append(column.written().mapped(written -> written / bytes).shown(2));
            text.append(" | ").append(column.memory()).append(" |\n");
        }
        return text.append(comparison.remarks()).toString();
    }

    private Figures rate(Column column) {
        return column.seconds().mapped(seconds -> amount / seconds);
    }

    String picture(String title) {
        Bars bars = new Bars().group(title + ", " + unit + "/s (more is better)");
        comparison.columns().forEach(column -> bars.bar(column.name(), rate(column), column.isOurs()));
        bars.group(cpuUnit + ", all processes (less is better)");
        comparison
                .columns()
                .forEach(
                        column -> bars.bar(column.name(), column.cpu().mapped(cpu -> cpu * cpuScale), column.isOurs()));
        return bars.svg();
    }
}
