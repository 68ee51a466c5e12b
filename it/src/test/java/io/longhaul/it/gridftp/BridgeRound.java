package io.longhaul.it.gridftp;

import io.longhaul.it.testbed.TestFile;
import java.time.Duration;
import java.util.Locale;

/**
 * What one kill came to.
 *
 * @param moment when the victim was killed, from the start of the client
 * @param recovery from the start of its next process to the client's good end
 * @param crossedBytes over the link between the sites
 * @param length of the file
 */
record BridgeRound(
        int number,
        BridgeVictim victim,
        BridgeSites.Copy copy,
        Duration moment,
        Duration recovery,
        long crossedBytes,
        long length) {
    static final String HEADER = "round  killed       copy       at ms  complete ms  crossed beside the file KiB";

    /** Returns what the link carried more than the file. */
    long moreBytes() {
        return crossedBytes - length;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%5d  %-11s  %-9s %6d  %11d  %27d",
                number,
                victim,
                copy,
                moment.toMillis(),
                recovery.toMillis(),
                moreBytes() / TestFile.KIB);
    }
}
