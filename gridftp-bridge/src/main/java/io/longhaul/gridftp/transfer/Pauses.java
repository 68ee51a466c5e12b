package io.longhaul.gridftp.transfer;

import java.time.Duration;

/** Growing pauses between tries: a second, then twice as long each time, up to half a minute or what is said. */
final class Pauses {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Duration longest;
    private Duration next = FIRST;

    Pauses() {
        this(LONGEST);
    }

    /** Takes the longest pause, at least a second. */
    Pauses(Duration longest) {
        this.longest = longest;
    }

    Duration next() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return pause;
    }

    /** It works again. */
    void reset() {
        next = FIRST;
    }
}
