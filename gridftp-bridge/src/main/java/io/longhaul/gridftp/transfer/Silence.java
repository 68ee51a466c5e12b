package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.spi.Source;
import java.time.Duration;

/** How long a back bears that a front is silent, by what it holds for it meanwhile. */
final class Silence {
    /** How often it is looked at. */
    static final Duration LOOK = Duration.ofSeconds(10);

    private static final Duration SERVED = Duration.ofSeconds(10);
    private static final Duration FETCHED = Duration.ofMinutes(5);

    /** Who pulls 4 MiB within it is only slow, and a file that is read from its start each time would be read in squares. */
    private static final Duration FROM_THE_START = Duration.ofSeconds(60);

    private static final Duration PART = Duration.ofMinutes(2);

    /** With a file that is whole, as a front keeps it for its client. */
    static final Duration WHOLE = Duration.ofMinutes(15);

    private Silence() {}

    /** With a file that was read, or is, for a front. */
    static Duration ofFetch(boolean isServed) {
        return isServed ? SERVED : FETCHED;
    }

    /** With one of the server's few sessions, for what is read ahead. */
    static Duration ofReading(Source open) {
        return open.isFromTheStart() ? FROM_THE_START : SERVED;
    }

    /** With one of them for what a front sends; what is whole needs no front. */
    static Duration ofDelivery(Content content) {
        return content.isComplete() ? WHOLE : PART;
    }
}
