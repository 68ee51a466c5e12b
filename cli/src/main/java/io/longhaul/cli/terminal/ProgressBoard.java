package io.longhaul.cli.terminal;

import io.longhaul.agent.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The transfers that are on their way, as lines for a terminal or for a log.
 *
 * <p>Confined to its {@link Console}'s lock.
 */
final class ProgressBoard {
    /** Most transfers shown at once; the rest is counted. */
    static final int MOST_LINES = 12;

    /** A log gets a line at most this often. */
    static final long PLAIN_EVERY_NS = 5_000_000_000L;

    /** And the same line again, from a transfer that stands still, at most this often. */
    static final long SAME_EVERY_NS = 60_000_000_000L;

    private final Map<String, Rate> rates = new HashMap<>();
    private List<Progress> current = List.of();
    private long lastPlainNs;
    private String lastPlain = "";
    private long lastSaidNs;
    private boolean started;

    /** Takes the present state of all transfers that are on their way. */
    void update(List<Progress> transfers, long nowNs) {
        current = List.copyOf(transfers);
        rates.keySet().retainAll(current.stream().map(Progress::transfer).toList());
        for (Progress progress : current) {
            rates.computeIfAbsent(progress.transfer(), id -> new Rate()).sample(nowNs, progress.safeBytes());
        }
    }

    /** Returns the lines for a terminal of that size. */
    List<String> bars(int columns, int rows) {
        int most = Math.max(1, Math.min(MOST_LINES, rows - 2));
        List<String> lines = new ArrayList<>();
        for (Progress progress : current.subList(0, Math.min(most, current.size()))) {
            lines.add(new ProgressLine(progress, rate(progress)).bar(columns));
        }
        if (current.size() > most) {
            lines.add(Shown.fitted("and " + (current.size() - most) + " more", columns));
        }
        return lines;
    }

    /** Returns what a log should hear now: one transfer's line or the sum of several, at most every few seconds. */
    List<String> plain(long nowNs) {
        if (!started) {
            started = true;
            lastPlainNs = nowNs;
        }
        if (current.isEmpty() || nowNs - lastPlainNs < PLAIN_EVERY_NS) {
            return List.of();
        }
        lastPlainNs = nowNs;
        String line = current.size() == 1 ? new ProgressLine(current.get(0), rate(current.get(0))).plain() : sum();
        if (line.equals(lastPlain) && nowNs - lastSaidNs < SAME_EVERY_NS) {
            return List.of();
        }
        lastPlain = line;
        lastSaidNs = nowNs;
        return List.of(line);
    }

    private String sum() {
        long safe = current.stream().mapToLong(Progress::safeBytes).sum();
        boolean known = current.stream().allMatch(p -> p.totalBytes() >= 0);
        long total = current.stream().mapToLong(Progress::totalBytes).sum();
        double rate = current.stream().mapToDouble(this::rate).sum();
        return current.size() + " transfers: " + Amounts.bytes(safe) + (known ? " of " + Amounts.bytes(total) : "")
                + (rate > 0 ? ", " + Amounts.rate(rate) : "");
    }

    private double rate(Progress progress) {
        return rates.getOrDefault(progress.transfer(), new Rate()).perSecond();
    }
}
