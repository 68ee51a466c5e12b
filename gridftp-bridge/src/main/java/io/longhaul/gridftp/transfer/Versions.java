package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** When the time of a file's last change tells its versions apart: not if it may be changed again at the same time. */
final class Versions {
    private static final Duration FINE_MARGIN = Duration.ofSeconds(2);

    /** Where times are whole seconds; clocks of two hosts differ somewhat. */
    private static final Duration COARSE_MARGIN = Duration.ofSeconds(10);

    private Versions() {}

    /** Returns whether a file is still what it was. */
    static boolean isSame(Entry now, Entry before) {
        return now.length() == before.length()
                && now.modified().equals(before.modified())
                && now.unix().map(Entry.Unix::unique).equals(before.unix().map(Entry.Unix::unique));
    }

    /** Returns from when on what is read of a file is that of its only version with these times. */
    static Instant settled(Entry entry) {
        Instant modified = settled(entry.modified());
        return entry.unix()
                .flatMap(Entry.Unix::changed)
                .map(Versions::settled)
                .filter(modified::isBefore)
                .orElse(modified);
    }

    private static Instant settled(Instant modified) {
        boolean isCoarse = modified.equals(modified.truncatedTo(ChronoUnit.SECONDS));
        return modified.plus(isCoarse ? COARSE_MARGIN : FINE_MARGIN);
    }
}
