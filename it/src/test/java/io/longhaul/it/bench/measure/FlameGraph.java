package io.longhaul.it.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An SVG picture of where CPU time goes: a box for each frame, as wide as the share of samples in which it was on the stack,
 * callees upon their callers.
 *
 * <p>Arguments: a title, the file to write, and files of collapsed stacks ({@code caller;callee COUNT} on each line).
 */
public final class FlameGraph {
    private static final int WIDTH = 1200;
    private static final int ROW = 15;
    private static final int HEAD = 40;
    private static final double LEAST = 3;
    private static final double LETTER = 6.2;

    private final Map<String, FlameGraph> callees = new TreeMap<>();
    private long samples;

    private FlameGraph() {}

    public static void main(String[] arguments) throws IOException {
        FlameGraph root = new FlameGraph();
        for (String file : List.of(arguments).subList(2, arguments.length)) {
            for (String line : Files.readAllLines(Path.of(file))) {
                int end = line.lastIndexOf(' ');
                root.add(line.substring(0, end).split(";"), Long.parseLong(line.substring(end + 1)));
            }
        }
        Files.writeString(Path.of(arguments[1]), root.svg(arguments[0]));
    }

    private void add(String[] stack, long count) {
        samples += count;
        FlameGraph frame = this;
        for (String name : stack) {
            frame = frame.callees.computeIfAbsent(name, unseen -> new FlameGraph());
            frame.samples += count;
        }
    }

    private String svg(String title) {
        double scale = WIDTH / (double) Math.max(1, samples);
        int height = HEAD + depth(scale) * ROW;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"10\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n<text x=\"6\" y=\"18\" font-size=\"13\">%s: %d samples</text>%n",
                WIDTH,
                height,
                escaped(title),
                samples));
        draw(svg, 0, height - ROW, scale);
        return svg.append("</svg>\n").toString();
    }

    private int depth(double scale) {
        return callees.values().stream()
                .filter(frame -> frame.samples * scale >= LEAST)
                .mapToInt(frame -> 1 + frame.depth(scale))
                .max()
                .orElse(0);
    }

    private void draw(StringBuilder svg, double left, int top, double scale) {
        double x = left;
        for (Map.Entry<String, FlameGraph> callee : callees.entrySet()) {
            double width = callee.getValue().samples * scale;
            if (width >= LEAST) {
                String name = callee.getKey();
                int letters = (int) (width / LETTER);
                String shown = brief(name);
                svg.append(String.format(
                        Locale.ROOT,
                        "<g><title>%s, %.1f %%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"white\" stroke-width=\"0.5\"/>%s</g>%n",
                        escaped(name),
                        100 * width / WIDTH,
                        x,
                        top,
                        width,
                        ROW - 1,
                        colour(name),
                        letters < 4
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "<text x=\"%.1f\" y=\"%d\">%s</text>",
                                        x + 2,
                                        top + 11,
                                        escaped(shown.substring(0, Math.min(letters, shown.length()))))));
                callee.getValue().draw(svg, x, top - ROW, scale);
            }
            x += width;
        }
    }

    /** Returns class and method without the package. */
    private static String brief(String name) {
        int end = name.lastIndexOf('/');
        return end < 0 ? name : name.substring(end + 1);
    }

    /** Java, the kernel, and what is native in between. */
    private static String colour(String name) {
        if (name.endsWith("_[k]")) {
            return "#e8a05c";
        }
        return name.contains("/") || name.contains(".") ? "#9cc98a" : "#e6d37a";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
