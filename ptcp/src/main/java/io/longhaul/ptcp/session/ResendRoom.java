package io.longhaul.ptcp.session;

/**
 * How much may be kept to be sent again: as much as is under way, as far as there is memory for it, whatever the other end
 * allows; event loop only.
 *
 * <p>Like a {@link Window}, a session always has its first bytes, and more out of the budget of all sessions.
 */
final class ResendRoom {
    private static final int GROWTH = 4;

    /** So much more than it needs, as a multiple, it may have for a while. */
    private static final int SLACK = 4 * GROWTH;

    private final long firstBytes;
    private final long mostBytes;
    private final WindowBudget budget;
    private long moreBytes; // from the budget

    ResendRoom(long firstBytes, long mostBytes, WindowBudget budget) {
        this.firstBytes = firstBytes;
        this.mostBytes = mostBytes;
        this.budget = budget;
    }

    /** Returns how much more may be kept beside what is. */
    long left(long keptBytes) {
        if (keptBytes >= firstBytes + moreBytes && keptBytes < mostBytes) {
            renew(keptBytes);
        }
        return firstBytes + moreBytes - keptBytes;
    }

    /** Less is kept now. */
    void shrunk(long keptBytes) {
        if (moreBytes > SLACK * keptBytes) {
            renew(keptBytes);
        }
    }

    private void renew(long keptBytes) {
        long wanted = Math.min(mostBytes - firstBytes, GROWTH * keptBytes);
        moreBytes = budget.renew(moreBytes, Math.max(0, keptBytes - firstBytes), wanted);
    }

    /** Gives back what it has: nothing is kept any more. */
    void release() {
        moreBytes = budget.renew(moreBytes, 0, 0);
    }
}
