package io.longhaul.it.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An SVG picture of lying bars with their spread, a group for each of several measures. */
public final class Bars {
    private static final int LABELS = 230;
    private static final int LENGTH = 420;
    private static final int VALUES = 90;
    private static final int STEP = 22;
    private static final int HEAD = 34;
    private static final List<String> COLOURS = List.of("#1b6ca8", "#8aa9bd");

    private record Bar(String label, Figures figures, boolean ours) {}

    private record Group(String title, List<Bar> bars) {}

    private final List<Group> groups = new ArrayList<>();

    /** Begins a group with a scale of its own. */
    public Bars group(String title) {
        groups.add(new Group(title, new ArrayList<>()));
        return this;
    }

    /** Adds a bar to the last group; ours have a colour of their own. */
    public Bars bar(String label, Figures figures, boolean ours) {
        if (!figures.isEmpty()) {
            groups.get(groups.size() - 1).bars().add(new Bar(label, figures, ours));
        }
        return this;
    }

    public String svg() {
        int height = groups.stream()
                .mapToInt(group -> HEAD + STEP * group.bars().size())
                .sum();
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                LABELS + LENGTH + VALUES,
                height + STEP / 2));
        int top = 0;
        for (Group group : groups) {
            top += HEAD;
            svg.append(text(8, top - 10, "start", "font-weight=\"bold\"", group.title()));
            double most = group.bars().stream()
                    .mapToDouble(bar -> bar.figures().greatest())
                    .max()
                    .orElse(1);
            for (Bar bar : group.bars()) {
                svg.append(drawn(bar, top, LENGTH / Math.max(most, Double.MIN_NORMAL)));
                top += STEP;
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private static String drawn(Bar bar, int top, double scale) {
        Figures figures = bar.figures();
        double middle = top + STEP / 2.0 - 3;
        return text(LABELS - 8, top + 13, "end", "", bar.label())
                + String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222\" stroke-width=\"2\"/>%n",
                        LABELS,
                        top,
                        Math.max(0, figures.median() * scale),
                        STEP - 6,
                        COLOURS.get(bar.ours() ? 0 : 1),
                        LABELS + figures.least() * scale,
                        middle,
                        LABELS + figures.greatest() * scale,
                        middle)
                + text(
                        (int) (LABELS + figures.greatest() * scale) + 6,
                        top + 13,
                        "start",
                        "",
                        String.format(Locale.ROOT, figures.median() < 10 ? "%.2f" : "%.0f", figures.median()));
    }

    private static String text(int x, int y, String anchor, String style, String words) {
        String escaped = words.replace("&", "&amp;").replace("<", "&lt;");
        return String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>%n", x, y, anchor, style, escaped);
    }
}
