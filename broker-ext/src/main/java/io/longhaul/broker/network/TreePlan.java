package io.longhaul.broker.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A proposal of who links to whom, so that a file reaches many sites and no site sends more copies than it should.
 *
 * <p>The first site is the root. The others are placed level by level, those with the widest uplink first, so that the
 * narrow ones are leaves, which send nothing on: with a fan-out of D a file passes about log_D(n) brokers. Pure.
 */
public final class TreePlan {
    /** Most links that a message may pass. */
    public static final int MOST_LINKS = 32;

    /**
     * A site.
     *
     * @param bitsPerSecond of its uplink; 0 when it is not known
     * @param fanOut most copies that it should send
     */
    public record Site(String name, long bitsPerSecond, int fanOut) {
        public Site {
            if (fanOut < 1) {
                throw new IllegalArgumentException(
                        "site " + name + ": expected a fan-out of 1 or more, found " + fanOut);
            }
        }
    }

    private TreePlan() {}

    /** Returns for every site but the root the one that it links to, in the order in which files reach them. */
    public static Map<String, String> of(List<Site> sites) {
        if (sites.isEmpty()) {
            throw new IllegalArgumentException("expected at least one site, found none");
        }
        if (sites.size() > Reports.MOST_BROKERS) {
            throw new IllegalArgumentException("expected at most " + Reports.MOST_BROKERS
                    + " sites, as many as hear of each other, found " + sites.size());
        }
        List<Site> others = new ArrayList<>(sites.subList(1, sites.size()));
        others.sort(Comparator.comparingLong(Site::bitsPerSecond).reversed());
        Map<String, String> parents = new LinkedHashMap<>();
        List<Site> placed = new ArrayList<>(List.of(sites.get(0)));
        int parent = 0;
        int children = 0;
        for (Site site : others) {
            if (children == placed.get(parent).fanOut()) {
                parent++;
                children = 0;
            }
            if (parents.containsKey(site.name())
                    || site.name().equals(sites.get(0).name())) {
                throw new IllegalArgumentException("site " + site.name() + ": expected once, found twice");
            }
            parents.put(site.name(), placed.get(parent).name());
            placed.add(site);
            children++;
        }
        int longest = longestWay(parents);
        if (longest > MOST_LINKS) {
            throw new IllegalArgumentException("expected at most " + MOST_LINKS
                    + " links from any site to any other, as many as a message may pass, found " + longest
                    + ": give sites a greater fan-out");
        }
        return parents;
    }

    /** Returns how many links lie between the two sites that are farthest from each other. */
    private static int longestWay(Map<String, String> parents) {
        List<String> deepestFirst = new ArrayList<>(parents.keySet());
        Collections.reverse(deepestFirst);
        Map<String, Integer> heights = new HashMap<>();
        int longest = 0;
        for (String site : deepestFirst) {
            String parent = parents.get(site);
            int height = heights.getOrDefault(site, 0) + 1;
            longest = Math.max(longest, heights.getOrDefault(parent, 0) + height);
            heights.merge(parent, height, Math::max);
        }
        return longest;
    }
}
