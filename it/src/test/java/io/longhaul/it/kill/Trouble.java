package io.longhaul.it.kill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What befalls a network of three sites, of which a is the hub.
 *
 * @param site whose broker is killed, or whose link to the hub loses everything
 * @param cut how long the link does; zero for a kill
 */
record Trouble(String site, Duration cut) {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Returns troubles in a random order: of each ten, each broker is killed twice and each link is cut twice, once for long. */
    static List<Trouble> mixed(int count, Duration longCut, Random random) {
        List<Trouble> all = new ArrayList<>();
        while (all.size() < count) {
            List<Trouble> ten = new ArrayList<>(cuts(SHORT));
            ten.addAll(cuts(longCut));
            for (String site : List.of("a", "b", "c")) {
                ten.addAll(Collections.nCopies(2, new Trouble(site, Duration.ZERO)));
            }
            Collections.shuffle(ten, random);
            all.addAll(ten);
        }
        return all.subList(0, count);
    }

    /** Returns a cut of each link. */
    static List<Trouble> cuts(Duration time) {
        return List.of(new Trouble("b", time), new Trouble("c", time));
    }

    boolean isKill() {
        return cut.isZero();
    }

    /** Whether it is on the way of a file from one site to another one. */
    boolean isBetween(String from, String to) {
        boolean crosses = !from.equals(to) && (from.equals(site) || to.equals(site));
        return isKill() ? crosses || from.equals(site) || site.equals("a") && !from.equals(to) : crosses;
    }

    @Override
    public String toString() {
        return isKill() ? "kill " + site : "cut " + site + ' ' + cut.toSeconds() + " s";
    }
}
