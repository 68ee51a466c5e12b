package io.longhaul.ptcp.frame;

import io.longhaul.ptcp.PtcpException;

/** The versions of the protocol that this code speaks. */
public final class Version {
    /** Newest one. */
    public static final int NEWEST = 1;

    /** Oldest one. */
    public static final int OLDEST = 1;

    private Version() {}

    /**
     * Returns the newest version that the acceptor, which is this end, and an opener speak; throws {@link PtcpException}
     * VERSION when there is none, with a text that reads the same at both ends and fits into a refusal.
     */
    public static int choose(int newest, int oldest) {
        int chosen = Math.min(newest, NEWEST);
        if (oldest > newest || chosen < Math.max(oldest, OLDEST)) {
            throw new PtcpException(
                    PtcpException.Code.VERSION,
                    "the acceptor speaks versions " + OLDEST + ".." + NEWEST + ", the opener " + oldest + ".."
                            + newest);
        }
        return chosen;
    }
}
