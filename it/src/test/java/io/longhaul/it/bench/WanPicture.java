package io.longhaul.it.bench;

import io.longhaul.it.bench.WanContest.Sample;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.Wan.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** An SVG picture: a panel for each loss, Mbit/s over the number of streams, a colour for each round trip. */
final class WanPicture {
    private static final int WIDTH = 260;
    private static final int HEIGHT = 260;
    private static final int MARGIN = 45;
    private static final double LEAST = 5;
    private static final double MOST = 1000;
    private static final List<String> COLOURS = List.of("#1b6ca8", "#2a9d4b", "#c0392b", "#8e44ad");

    private final StringBuilder svg = new StringBuilder();
    private final WanSamples samples;
    private final List<String> ticks;

    private WanPicture(WanSamples samples, List<String> streams) {
        this.samples = samples;
        this.ticks = new ArrayList<>(streams);
        ticks.add("auto");
    }

    static String of(WanSamples samples, List<Link> links, List<String> streams) {
        WanPicture picture = new WanPicture(samples, streams);
        List<String> losses = links.stream().map(Link::loss).distinct().toList();
        List<String> rtts = links.stream().map(Link::rtt).distinct().toList();
        picture.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">",
                losses.size() * (WIDTH + MARGIN) + MARGIN, HEIGHT + 2 * MARGIN);
        picture.add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        for (Link link : links) {
            int left = MARGIN + losses.indexOf(link.loss()) * (WIDTH + MARGIN);
            int colour = rtts.indexOf(link.rtt());
            if (links.stream()
                    .filter(one -> one.loss().equals(link.loss()))
                    .findFirst()
                    .orElseThrow()
                    .equals(link)) {
                picture.panel(left, link.loss());
            }
            picture.lines(left, link, COLOURS.get(colour % COLOURS.size()));
            picture.add(
                    "<text x=\"%d\" y=\"%d\" fill=\"%s\">RTT %s</text>",
                    left + WIDTH - 70,
                    MARGIN + HEIGHT - 8 - 14 * colour,
                    COLOURS.get(colour % COLOURS.size()),
                    link.rtt());
        }
        picture.add(
                "<text x=\"%d\" y=\"%d\">Mbit/s over number of streams; solid: parallel TCP, dashed: iperf3 -P, ring: auto</text>",
                MARGIN, HEIGHT + 2 * MARGIN - 8);
        picture.add("</svg>");
        return picture.svg.toString();
    }

    private void panel(int left, String loss) {
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>",
                left, MARGIN, WIDTH, HEIGHT);
        add("<text x=\"%d\" y=\"%d\">loss %s</text>", left, MARGIN - 8, loss);
        for (int mark : new int[] {10, 30, 100, 300, 1000}) {
            add(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    left, y(mark), left + WIDTH, y(mark));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>", left - 4, y(mark) + 4, mark);
        }
        for (int i = 0; i < ticks.size(); i++) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x(left, i), MARGIN + HEIGHT + 14, ticks.get(i));
        }
    }

    private void lines(int left, Link link, String colour) {
        line(left, link, "", colour, "");
        line(left, link, WanSamples.IPERF, colour, "stroke-dasharray=\"5 4\"");
        Map<Integer, Sample> auto = samples.of(link, "auto");
        if (!auto.isEmpty()) {
            add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                    x(left, ticks.size() - 1), y(median(auto)), colour);
        }
    }

    private void line(int left, Link link, String prefix, String colour, String style) {
        List<String> points = new ArrayList<>();
        for (int i = 0; i < ticks.size() - 1; i++) {
            Map<Integer, Sample> found = samples.of(link, prefix + ticks.get(i));
            if (!found.isEmpty()) {
                points.add(String.format(Locale.ROOT, "%.1f,%.1f", x(left, i), y(median(found))));
            }
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" %s/>",
                points.stream().collect(Collectors.joining(" ")), colour, style);
    }

    private static double median(Map<Integer, Sample> of) {
        Figures figures = new Figures();
        of.values().forEach(sample -> figures.add(sample.megabits()));
        return figures.median();
    }

    private double x(int left, int tick) {
        return left + WIDTH * (tick + 0.5) / ticks.size();
    }

    private static double y(double megabits) {
        double share = Math.log(Math.max(megabits, LEAST) / LEAST) / Math.log(MOST / LEAST);
        return MARGIN + HEIGHT * (1 - share);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
