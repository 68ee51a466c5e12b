package io.longhaul.it.bench.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An SVG picture of medians over a number that doubles, such as of receivers; a line for each contender. */
public final class Lines {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 300;
    private static final int MARGIN = 55;
    private static final int LEGEND = 210;
    private static final int MARKS = 5;
    private static final List<String> COLOURS = List.of(
            "#1b6ca8", "#c0392b", "#2a9d4b", "#8e44ad", "#d68910", "#555555", "#17a2b8", "#7b4a12", "#e377c2",
            "#9aa51c");

    private final String title;
    private final Map<String, TreeMap<Integer, Figures>> lines = new LinkedHashMap<>();

    public Lines(String title) {
        this.title = title;
    }

    public void point(String line, int at, Figures figures) {
        if (!figures.isEmpty()) {
            lines.computeIfAbsent(line, name -> new TreeMap<>()).put(at, figures);
        }
    }

    public String svg() {
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH + 2 * MARGIN + LEGEND,
                HEIGHT + 2 * MARGIN);
        add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        add(svg, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", MARGIN, MARGIN - 18, title);
        double most = lines.values().stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(Figures::greatest)
                .max()
                .orElse(1);
        List<Integer> ticks = lines.values().stream()
                .flatMap(line -> line.keySet().stream())
                .distinct()
                .sorted()
                .toList();
        axes(svg, ticks, most);
        int number = 0;
        for (Map.Entry<String, TreeMap<Integer, Figures>> line : lines.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            String points = line.getValue().entrySet().stream()
                    .map(point -> String.format(
                            Locale.ROOT,
                            "%.1f,%.1f",
                            x(ticks, point.getKey()),
                            MARGIN + HEIGHT * (1 - point.getValue().median() / most)))
                    .collect(Collectors.joining(" "));
            add(svg, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, colour);
            add(
                    svg,
                    "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
                    WIDTH + MARGIN + 14,
                    MARGIN + 14 + 18 * number,
                    colour,
                    line.getKey());
            number++;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void axes(StringBuilder svg, List<Integer> ticks, double most) {
        for (int mark = 0; mark <= MARKS; mark++) {
            double y = MARGIN + HEIGHT * (1 - mark / (double) MARKS);
            add(
                    svg,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    MARGIN,
                    y,
                    MARGIN + WIDTH,
                    y);
            add(
                    svg,
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>",
                    MARGIN - 6,
                    y + 4,
                    most * mark / MARKS);
        }
        for (Integer tick : ticks) {
            add(
                    svg,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                    x(ticks, tick),
                    MARGIN + HEIGHT + 18,
                    tick);
        }
    }

    private static double x(List<Integer> ticks, Integer tick) {
        return MARGIN + WIDTH * (ticks.indexOf(tick) + 0.5) / ticks.size();
    }

    private static void add(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
