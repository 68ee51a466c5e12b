package io.longhaul.it.kill;

import io.longhaul.it.testbed.TestFile;
import java.time.Duration;
import java.util.Locale;

/**
 * What one kill came to.
 *
 * @param moment when the victim was killed, from the start of the publisher
 * @param recovery from the start of its next process to the first sign that work goes on
 * @param rest from the start of its next process to the last receipt
 * @param resentBytes what the publisher sent again
 * @param duplicateBytes what a subscriber got again, at most
 * @param receipts how many the publisher got
 */
record Round(
        int number,
        Victim victim,
        Duration moment,
        Duration recovery,
        Duration rest,
        long resentBytes,
        long duplicateBytes,
        int receipts) {
    static final String HEADER =
            "round  killed          at ms  recovery ms  complete ms  sent again KiB  got again KiB  receipts";

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%5d  %-13s %7d  %11d  %11d  %14d  %13d  %8d",
                number,
                victim,
                moment.toMillis(),
                recovery.toMillis(),
                rest.toMillis(),
                resentBytes / TestFile.KIB,
                duplicateBytes / TestFile.KIB,
                receipts);
    }
}
