package io.longhaul.broker.limits;

import java.util.List;

/**
 * What a user, or the topics of a pattern together, may use of a broker; 0 stands for any amount.
 *
 * @param rate bytes of pieces a second, those of the transport included
 * @param transfers transfers that have begun and not ended, at most {@value #MOST_TRANSFERS}
 * @param backlog bytes that wait at the broker before another transfer may begin
 * @param pieces pieces a second
 */
public record Limit(long rate, int transfers, long backlog, long pieces) {
    /** Any amount of everything. */
    public static final Limit NONE = new Limit(0, 0, 0, 0);

    /** The names of the limits, as configurations have them. */
    public static final List<String> KEYS = List.of("rate", "transfers", "backlog", "pieces");

    /** Most transfers that can be kept count of. */
    public static final int MOST_TRANSFERS = 10_000;

    public Limit {
        requireAmount("rate", rate);
        requireAmount("transfers", transfers);
        requireAmount("backlog", backlog);
        requireAmount("pieces", pieces);
        if (transfers > MOST_TRANSFERS) {
            throw new IllegalArgumentException(
                    "limit transfers: expected at most " + MOST_TRANSFERS + ", found " + transfers);
        }
    }

    private static void requireAmount(String key, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("limit " + key + ": expected 0 or more, found " + value);
        }
    }

    /** Returns a copy with one of {@link #KEYS} set; throws {@link IllegalArgumentException} for another key. */
    public Limit with(String key, long value) {
        return switch (key) {
            case "rate" -> new Limit(value, transfers, backlog, pieces);
            case "transfers" ->
                new Limit(rate, (int) Math.min(Integer.MAX_VALUE, Math.max(-1, value)), backlog, pieces);
            case "backlog" -> new Limit(rate, transfers, value, pieces);
            case "pieces" -> new Limit(rate, transfers, backlog, value);
            default -> throw new IllegalArgumentException("limit " + key + ": expected one of " + KEYS);
        };
    }
}
