package io.longhaul.cli.terminal;

import io.longhaul.agent.Progress;
import java.util.Locale;

/** One transfer's line, as a bar of a given width or as plain words. */
final class ProgressLine {
    private static final int WIDEST_NAME = 40;
    private static final int NARROWEST_NAME = 8;
    private static final int WIDEST_BAR = 30;
    private static final int NARROWEST_BAR = 6;

    private final Progress progress;
    private final double rate;

    ProgressLine(Progress progress, double rate) {
        this.progress = progress;
        this.rate = rate;
    }

    /** Returns a line of at most that many columns: name, bar, percentage, bytes, rate, time left; least needed first out. */
    String bar(int columns) {
        String name = Shown.escaped(progress.name());
        for (String tail : new String[] {longTail(), shortTail(), percentage()}) {
            int nameColumns = Math.min(Shown.columns(name), Math.min(WIDEST_NAME, columns / 3));
            int rest = columns - nameColumns - tail.length() - 2;
            if (nameColumns >= Math.min(NARROWEST_NAME, Shown.columns(name)) && rest >= NARROWEST_BAR + 2) {
                return padded(name, nameColumns) + ' ' + drawn(Math.min(WIDEST_BAR, rest - 2)) + ' ' + tail;
            }
        }
        return Shown.fitted(percentage().strip() + ' ' + name, columns);
    }

    /** Returns the line for a log. */
    String plain() {
        return Shown.escaped(progress.name()) + ": " + percentage().strip() + ", " + amounts() + ", "
                + progress.phase() + (rate > 0 ? ", " + Amounts.rate(rate) : "")
                + (timeLeft().isEmpty() ? "" : ", " + timeLeft() + " left");
    }

    private static String padded(String name, int columns) {
        String fitted = Shown.fitted(name, columns);
        return fitted + " ".repeat(Math.max(0, columns - Shown.columns(fitted)));
    }

    private String drawn(int cells) {
        int full = progress.totalBytes() < 0 ? 0 : (int) Math.floor(share() * cells);
        return '[' + "#".repeat(full) + "-".repeat(cells - full) + ']';
    }

    private String longTail() {
        String left = timeLeft();
        return percentage() + "  " + amounts() + "  "
                + (isMoving() ? Amounts.rate(rate) + (left.isEmpty() ? "" : "  " + left + " left") : progress.phase());
    }

    private String shortTail() {
        return percentage() + "  " + (isMoving() ? Amounts.rate(rate) : progress.phase());
    }

    private boolean isMoving() {
        return rate > 0
                && (progress.phase().equals("sending") || progress.phase().equals("receiving"));
    }

    private String percentage() {
        return progress.totalBytes() < 0 ? "  ?%" : String.format(Locale.ROOT, "%3d%%", (int) (share() * 100));
    }

    private String amounts() {
        return Amounts.bytes(progress.safeBytes())
                + (progress.totalBytes() < 0 ? "" : " of " + Amounts.bytes(progress.totalBytes()));
    }

    private double share() {
        return progress.totalBytes() <= 0
                ? 1
                : Math.min(1, Math.max(0, (double) progress.safeBytes() / progress.totalBytes()));
    }

    private String timeLeft() {
        long missing = progress.totalBytes() - progress.safeBytes();
        return rate < 1 || missing <= 0 ? "" : Amounts.clock((long) Math.ceil(missing / rate));
    }
}
