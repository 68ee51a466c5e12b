package io.longhaul.ptcp.frame;

import io.longhaul.ptcp.PtcpException;

/** The versions of the protocol that this code speaks. */
public final class Version {
    /** Newest one. */
    public static final int NEWEST = 1;

    /** Oldest one. */
    public static final int OLDEST = 1;

    private Version() {}

    /** Returns the newest version that both ends speak; throws {@link PtcpException} VERSION when there is none. */
    public static int choose(int newest, int oldest) {
        int chosen = Math.min(newest, NEWEST);
        if (oldest > newest || chosen < Math.max(oldest, OLDEST)) {
            throw new PtcpException(
                    PtcpException.Code.VERSION,
                    "parallel TCP: this end speaks versions " + OLDEST + ".." + NEWEST + ", the other one " + oldest
                            + ".." + newest);
        }
        return chosen;
    }
}
