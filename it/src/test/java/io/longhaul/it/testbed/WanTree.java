package io.longhaul.it.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A tree of brokers at sites of an emulated network; a link has a name of two letters, of the sites that it joins. */
public final class WanTree {
    private final Testbed testbed;
    private final WanSites sites;
    private final List<String> links;
    private final Map<String, TcpBytes> counters = new TreeMap<>();
    private final Map<String, List<Node>> subscribers = new TreeMap<>();

    private WanTree(Testbed testbed, WanSites sites, List<String> links) {
        this.testbed = testbed;
        this.sites = sites;
        this.links = links;
    }

    /**
     * Starts the brokers.
     *
     * @param links such as {@code ab}: site b opens a link to site a, which is known by then
     */
    public static WanTree start(Testbed testbed, Wan wan, String... links) {
        WanTree tree = new WanTree(testbed, new WanSites(testbed, wan), List.of(links));
        Set<String> letters = new TreeSet<>(List.of(String.join("", links).split("")));
        for (String site : letters) {
            tree.counters.put(site, TcpBytes.of(testbed, wan, site));
            String[] up = tree.links.stream()
                    .filter(link -> link.endsWith(site))
                    .map(link -> link.substring(0, 1))
                    .toArray(String[]::new);
            tree.sites.addBroker(site, up).start();
        }
        tree.sites.brokers().forEach(broker -> broker.child().awaitReady());
        return tree;
    }

    /** Adds subscribers of a topic at a site. */
    public void subscribe(String topic, String site, int count) {
        List<Node> there = subscribers.computeIfAbsent(site, letter -> new ArrayList<>());
        List<Node> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            added.add(sites.subscriber(site, "at-" + site + '-' + there.size(), topic));
            there.add(added.get(i));
            added.get(i).start();
        }
        added.forEach(node -> node.child().awaitReady());
    }

    /** Publishes a file until all have it, and returns what TCP sent over each link meanwhile, both directions together. */
    public Map<String, TcpBytes.Sent> publish(Path source, String topic, String site) {
        Map<String, TcpBytes.Sent> before = sent();
        int all = subscribers.values().stream().mapToInt(List::size).sum();
        String name = source.getFileName().toString();
        sites.publisher(site, "publish-" + name, source, topic, "--wait", Integer.toString(all))
                .start()
                .expectExit(0);
        Map<String, TcpBytes.Sent> after = sent();
        after.replaceAll((link, sum) -> sum.minus(before.get(link)));
        subscribers.values().forEach(there -> there.forEach(node -> Delivery.assertSame(node, source, name)));
        return after;
    }

    private Map<String, TcpBytes.Sent> sent() {
        Map<String, TcpBytes.Sent> sums = new LinkedHashMap<>();
        for (String link : links) {
            String one = link.substring(0, 1);
            String other = link.substring(1);
            sums.put(link, counters.get(one).to(other).plus(counters.get(other).to(one)));
        }
        return sums;
    }

    /** Returns how many subscribe at a link's second site and beyond. */
    public int behind(String link) {
        String site = link.substring(1);
        return subscribers.getOrDefault(site, List.of()).size()
                + links.stream()
                        .filter(next -> next.startsWith(site))
                        .mapToInt(this::behind)
                        .sum();
    }
}
