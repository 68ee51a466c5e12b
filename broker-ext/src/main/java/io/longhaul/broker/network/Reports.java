package io.longhaul.broker.network;

import io.longhaul.wire.BrokerReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The last report of every broker of the network, as far as it is fresh. One thread at a time.
 */
public final class Reports {
    static final int MOST_BROKERS = 1000;

    private final long lifeNs;
    private final Map<String, Heard> heard = new TreeMap<>();

    private record Heard(BrokerReport report, long atNs) {}

    /** Takes how long a report counts, in nanoseconds. */
    public Reports(long lifeNs) {
        this.lifeNs = lifeNs;
    }

    /** Takes a report; returns whether it is news. Brokers beyond a thousand are not heard. */
    public boolean take(BrokerReport report, long nowNs) {
        Heard before = heard.get(report.broker());
        boolean old = before != null && before.report().sequence() >= report.sequence();
        if (old || before == null && heard.size() >= MOST_BROKERS) {
            return false;
        }
        heard.put(report.broker(), new Heard(report, nowNs));
        return true;
    }

    /** Forgets what is no longer fresh; returns whether there was any. */
    public boolean expire(long nowNs) {
        return heard.values().removeIf(each -> nowNs - each.atNs() > lifeNs);
    }

    /** Returns all, by name. */
    public List<BrokerReport> all() {
        return heard.values().stream().map(Heard::report).toList();
    }

    public boolean knows(String broker) {
        return heard.containsKey(broker);
    }

    /** Returns the links of which both ends say that they stand. */
    public Set<SpanningTree.Edge> standing() {
        Set<SpanningTree.Edge> said = new HashSet<>();
        Set<SpanningTree.Edge> twice = new HashSet<>();
        for (BrokerReport report : all()) {
            for (BrokerReport.LinkReport link : report.links()) {
                SpanningTree.Edge edge = new SpanningTree.Edge(report.broker(), link.peer());
                if (link.up() && !said.add(edge)) {
                    twice.add(edge);
                }
            }
        }
        return twice;
    }

    /** Returns the links that carry files, of those that stand: one way to every broker that can be reached. */
    public Set<SpanningTree.Edge> active(Set<SpanningTree.Edge> standing) {
        Map<String, Integer> fanOuts = new HashMap<>();
        all().forEach(report -> fanOuts.put(report.broker(), report.fanOut()));
        return SpanningTree.of(standing, fanOuts);
    }

    /** Returns whether any of these brokers has something that waits to be sent to another. */
    public boolean haveBacklog(Predicate<String> from, String to) {
        return all().stream()
                .filter(report -> from.test(report.broker()))
                .flatMap(report -> report.links().stream())
                .anyMatch(link -> link.peer().equals(to) && link.backlogFrames() > 0);
    }

    /** Returns the brokers that files reach from here without passing one of these others, this one itself among them. */
    public Set<String> near(String here, Set<String> others) {
        return reachable(
                here,
                active(standing()).stream()
                        .filter(edge -> others.stream().noneMatch(edge::joins))
                        .toList());
    }

    /** Returns the brokers that can be reached over these links, the start itself among them. */
    public static Set<String> reachable(String from, Collection<SpanningTree.Edge> edges) {
        Set<String> reached = new HashSet<>(Set.of(from));
        List<String> next = new ArrayList<>(reached);
        while (!next.isEmpty()) {
            String at = next.remove(next.size() - 1);
            for (SpanningTree.Edge edge : edges) {
                String other = edge.a().equals(at) ? edge.b() : edge.a();
                if (edge.joins(at) && reached.add(other)) {
                    next.add(other);
                }
            }
        }
        return reached;
    }
}
