package io.longhaul.cli.option;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the known word that a mistyped one was probably meant to be. */
public final class NearestKey {
    private NearestKey() {}

    /**
     * Returns the known word with the fewest insertions, removals, replacements and swaps, ties by alphabet. Those are no more
     * than a third of the letters, unless it begins with all of the mistyped one; else none was meant.
     */
    public static Optional<String> of(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate ->
                        3 * distance(word, candidate) <= word.length() || !word.isEmpty() && candidate.startsWith(word))
                .min(Comparator.comparingInt((String candidate) -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns what is to be said of an unknown word: which known one is meant, or all that are known. */
    public static String hint(String word, Collection<String> known) {
        return of(word, known)
                .map(near -> "; the nearest is '" + near + "'")
                .orElseGet(() -> "; expected one of " + String.join(", ", new TreeSet<>(known)));
    }

    /** The optimal string alignment distance. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1), cost[i - 1][j - 1] + same);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
