package io.longhaul.it.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Measured values of one kind: median and spread. */
final class Figures {
    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    double median() {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Returns the median with least and greatest, or a dash when nothing was measured. */
    String shown(int decimals) {
        if (values.isEmpty()) {
            return "-";
        }
        String format = "%." + decimals + "f (%." + decimals + "f-%." + decimals + "f)";
        return String.format(Locale.ROOT, format, median(), Collections.min(values), Collections.max(values));
    }
}
