package io.longhaul.gridftp.transfer;

import java.time.Duration;

/** Growing pauses between tries: a second, then twice as long each time, up to half a minute. */
final class Pauses {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Duration next = FIRST;

    Duration next() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return pause;
    }

    /** It works again. */
    void reset() {
        next = FIRST;
    }
}
