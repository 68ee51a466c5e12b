package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Cuts what a neighbour is told into frames.
 *
 * <p>What is no longer wanted comes last: a name may take the place of another one for the same address, which the neighbour
 * would not want between two frames otherwise.
 */
final class WantsParts {
    private static final int NAMES_AT_ONCE = 1000;

    private WantsParts() {}

    /**
     * Returns the frames, one at least.
     *
     * @param toldVersion of what was told before; after 0, everything is told
     */
    static List<LinkFrame.Wants> of(long toldVersion, Set<String> added, Set<String> removed) {
        List<String> fresh = new ArrayList<>(added);
        List<String> gone = new ArrayList<>(removed);
        List<LinkFrame.Wants> parts = new ArrayList<>();
        long version = toldVersion;
        do {
            Set<String> freshNow = cut(fresh);
            Set<String> goneNow = fresh.isEmpty() ? cut(gone) : Set.of();
            boolean last = fresh.isEmpty() && gone.isEmpty();
            parts.add(new LinkFrame.Wants(++version, toldVersion == 0 && last, goneNow, freshNow));
        } while (!fresh.isEmpty() || !gone.isEmpty());
        return parts;
    }

    private static Set<String> cut(List<String> names) {
        List<String> part = names.subList(0, Math.min(NAMES_AT_ONCE, names.size()));
        Set<String> cut = Set.copyOf(part);
        part.clear();
        return cut;
    }
}
