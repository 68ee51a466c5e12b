package io.longhaul.it.bench.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Measured values of one kind: median and spread. */
public final class Figures {
    private final List<Double> values = new ArrayList<>();

    public void add(double value) {
        values.add(value);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns the same values, each changed. */
    public Figures mapped(UnaryOperator<Double> change) {
        Figures mapped = new Figures();
        values.forEach(value -> mapped.add(change.apply(value)));
        return mapped;
    }

    /** Returns each value as a multiple of another's of the same number, as far as both go. */
    public Figures over(Figures other) {
        Figures ratios = new Figures();
        for (int i = 0; i < Math.min(values.size(), other.values.size()); i++) {
            ratios.add(values.get(i) / other.values.get(i));
        }
        return ratios;
    }

    public double least() {
        return Collections.min(values);
    }

    public double greatest() {
        return Collections.max(values);
    }

    public double median() {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Returns the median, with least and greatest where there are several values, or a dash when nothing was measured. */
    public String shown(int decimals) {
        if (values.isEmpty()) {
            return "-";
        }
        String one = "%." + decimals + "f";
        return values.size() == 1
                ? String.format(Locale.ROOT, one, median())
                : String.format(Locale.ROOT, one + " (" + one + "-" + one + ")", median(), least(), greatest());
    }
}
