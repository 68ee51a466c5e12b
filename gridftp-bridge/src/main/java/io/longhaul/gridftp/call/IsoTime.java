package io.longhaul.gridftp.call;

import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Times as {@link Instant} writes them ({@code 2001-02-03T04:05:06Z}). Those of whole seconds, of which a listing has many, are taken apart
 * here: the JDK's general way takes longer than all the rest of an entry.
 */
final class IsoTime {
    private static final String FORM = "0000-00-00T00:00:00Z";
    private static final int DIGITS = 14;

    private IsoTime() {}

    /** Throws {@link DateTimeException}. */
    static Instant parse(String text) {
        StringBuilder digits = new StringBuilder(DIGITS);
        boolean isPlain = text.length() == FORM.length();
        for (int at = 0; isPlain && at < FORM.length(); at++) {
            if (FORM.charAt(at) == '0') {
                digits.append(text.charAt(at));
            } else {
                isPlain = text.charAt(at) == FORM.charAt(at);
            }
        }
        try {
            return isPlain ? Timestamps.parse(digits.toString()) : Instant.parse(text);
        } catch (ProtocolException e) {
            // no digits, or of no day and hour: the JDK tells what is wrong, or what else it means
            return Instant.parse(text);
        }
    }
}
