package io.longhaul.broker.limits;

/**
 * An amount a second, of which one second's worth may be used at once. What is used beyond it is a debt, which is paid with
 * time. Not thread-safe.
 */
final class TokenBucket {
    private static final double NANOS = 1e9;

    private final long perSecond;
    private double tokens;
    private long atNs;

    TokenBucket(long perSecond, long nowNs) {
        this.perSecond = perSecond;
        this.tokens = perSecond;
        this.atNs = nowNs;
    }

    /** Uses an amount; returns for how many nanoseconds from now there is a debt. */
    long take(long amount, long nowNs) {
        fill(nowNs);
        tokens -= amount;
        return debtNs();
    }

    /** Returns the amount that was used too early. */
    long debt(long nowNs) {
        fill(nowNs);
        return (long) Math.max(0, -tokens);
    }

    private long debtNs() {
        return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perSecond * NANOS);
    }

    private void fill(long nowNs) {
        // two threads may come with their times in the other order
        long passedNs = Math.max(0, nowNs - atNs);
        tokens = Math.min((double) perSecond, tokens + passedNs / NANOS * perSecond);
        atNs += passedNs;
    }
}
