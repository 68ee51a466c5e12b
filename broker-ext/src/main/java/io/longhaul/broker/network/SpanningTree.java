package io.longhaul.broker.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses, of all links that stand, those that carry files: every broker is reached, and over one way only.
 *
 * <p>Kruskal's algorithm over links in the order of their names, so that all brokers that know the same links choose the
 * same ones. A broker that wants to serve only so many links at a time is spared while the others suffice; where they do
 * not, to be connected comes first. Pure.
 */
public final class SpanningTree {
    /** Two brokers that are joined, the lesser name first. */
    public record Edge(String a, String b) implements Comparable<Edge> {
        public Edge {
            if (a.compareTo(b) > 0) {
                String swapped = a;
                a = b;
                b = swapped;
            }
        }

        @Override
        public int compareTo(Edge other) {
            int first = a.compareTo(other.a);
            return first != 0 ? first : b.compareTo(other.b);
        }

        public boolean joins(String broker) {
            return a.equals(broker) || b.equals(broker);
        }
    }

    private final Map<String, Integer> fanOuts;
    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, Integer> degrees = new HashMap<>();
    private final Set<Edge> chosen = new TreeSet<>();

    private SpanningTree(Map<String, Integer> fanOuts) {
        this.fanOuts = fanOuts;
    }

    /**
     * Returns the links to use.
     *
     * @param fanOuts most links that a broker wants to serve; none, or 0, for any number
     */
    public static Set<Edge> of(Collection<Edge> edges, Map<String, Integer> fanOuts) {
        SpanningTree tree = new SpanningTree(fanOuts);
        List<Edge> sorted = new ArrayList<>(new TreeSet<>(edges));
        sorted.forEach(edge -> tree.offer(edge, true));
        sorted.forEach(edge -> tree.offer(edge, false));
        return tree.chosen;
    }

    private void offer(Edge edge, boolean spare) {
        if (spare && (isFull(edge.a()) || isFull(edge.b()))) {
            return;
        }
        String a = root(edge.a());
        String b = root(edge.b());
        if (!a.equals(b)) {
            parents.put(b, a);
            degrees.merge(edge.a(), 1, Integer::sum);
            degrees.merge(edge.b(), 1, Integer::sum);
            chosen.add(edge);
        }
    }

    private boolean isFull(String broker) {
        int fanOut = fanOuts.getOrDefault(broker, 0);
        return fanOut > 0 && degrees.getOrDefault(broker, 0) >= fanOut;
    }

    private String root(String broker) {
        String at = broker;
        while (parents.containsKey(at)) {
            at = parents.get(at);
        }
        return at;
    }
}
