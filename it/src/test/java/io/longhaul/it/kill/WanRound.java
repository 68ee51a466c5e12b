package io.longhaul.it.kill;

import io.longhaul.it.testbed.TestFile;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * What one trouble came to.
 *
 * @param from the publisher's site
 * @param moment when it struck, from the first bytes at a subscriber beyond it
 * @param away from the strike until the broker was ready again, or the link healed
 * @param recovery from then on until bytes came to a subscriber beyond it; zero when all had everything
 * @param rest from then on until the last receipt
 * @param extraBytes of IP packets, by link: what passed it beyond the file and what a file costs an undisturbed link
 * @param resentBytes what the publisher sent again
 * @param duplicateBytes what a subscriber got again, at most
 */
record WanRound(
        int number,
        Trouble trouble,
        String from,
        Duration moment,
        Duration away,
        Duration recovery,
        Duration rest,
        Map<String, Long> extraBytes,
        long resentBytes,
        long duplicateBytes) {
    static final String HEADER = "round  trouble     from  at ms  away ms  recovery ms  complete ms"
            + "  link ab extra KiB  link ac extra KiB  resent KiB  got again KiB";

    long mostExtra() {
        return Math.max(extraBytes.get("b"), extraBytes.get("c"));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%5d  %-10s  %4s  %5d  %7d  %11d  %11d  %17d  %17d  %10d  %13d",
                number,
                trouble,
                from,
                moment.toMillis(),
                away.toMillis(),
                recovery.toMillis(),
                rest.toMillis(),
                extraBytes.get("b") / TestFile.KIB,
                extraBytes.get("c") / TestFile.KIB,
                resentBytes / TestFile.KIB,
                duplicateBytes / TestFile.KIB);
    }
}
