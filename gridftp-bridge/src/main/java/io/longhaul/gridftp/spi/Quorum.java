package io.longhaul.gridftp.spi;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How many of those that are to have a file must say so before a client is told that it was stored.
 *
 * @param most as many as this, 1..100,000; fewer where there are fewer is said by {@link #ALL} only
 */
public record Quorum(int most) {
    /** Every one of them. */
    public static final Quorum ALL = new Quorum(Integer.MAX_VALUE);

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,5}");
    private static final int LARGEST = 100_000;

    /** Checks the bounds. */
    public Quorum {
        if (most < 1 || most > LARGEST && most != Integer.MAX_VALUE) {
            throw new IllegalArgumentException("quorum: expected 1.." + LARGEST + ", found " + most);
        }
    }

    /** Reads {@code all}, {@code one} or a number, in any case; throws {@link IllegalArgumentException} for others. */
    public static Quorum parse(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (word.equals("all")) {
            return ALL;
        }
        if (word.equals("one")) {
            return new Quorum(1);
        }
        if (!NUMBER.matcher(word).matches()) {
            throw new IllegalArgumentException(
                    "quorum: expected all, one or a number up to " + LARGEST + ", found '" + text + "'");
        }
        return new Quorum(Integer.parseInt(word));
    }

    /** Returns how many that is when there are this many. */
    public int of(int all) {
        return most == Integer.MAX_VALUE ? all : most;
    }

    @Override
    public String toString() {
        return most == Integer.MAX_VALUE ? "all" : Integer.toString(most);
    }
}
