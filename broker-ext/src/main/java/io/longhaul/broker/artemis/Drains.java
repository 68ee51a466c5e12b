package io.longhaul.broker.artemis;

import io.longhaul.wire.BrokerReport;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which brokers have queues that run dry, since a neighbour no longer wants over their link what comes over another one.
 *
 * <p>Such a queue still takes what is on its way to it. What enters the network after everybody has heard of it comes the
 * other way, whose queues were there before: messages say what their first broker had heard, so that the queue does not take
 * them, and no link carries them a second time. Thread-safe.
 */
final class Drains {
    private static final int MOST = 100;
    private static final int MOST_CHARACTERS = 20_000; // more than as many take, with the longest names

    private volatile String known = "";

    /** Takes all reports that count. */
    void set(Collection<BrokerReport> reports) {
        known = reports.stream()
                .filter(each -> each.drains() > 0)
                .limit(MOST) // the others send twice for a while
                .map(each -> each.broker() + '=' + each.drains())
                .collect(Collectors.joining("/"));
    }

    /** Returns what is known: each broker and its number, with a slash between; empty for nothing. */
    String known() {
        return known;
    }

    /** Returns whether somebody who knew this knew of the queue to which a broker has given a number. */
    static boolean include(String known, String broker, long number) {
        String prefix = broker + '=';
        for (String each : known.split("/")) {
            if (each.startsWith(prefix)) {
                return number(each) >= number;
            }
        }
        return false;
    }

    /** Returns whether a text that another broker has written says what is known. */
    static boolean isSound(String known) {
        return known.length() <= MOST_CHARACTERS
                && Stream.of(known.split("/", -1)).allMatch(each -> each.indexOf('=') > 0 && number(each) > 0);
    }

    /** Returns the number of a broker and its number; -1 for none, which is before all numbers. */
    private static long number(String entry) {
        try {
            return Long.parseLong(entry.substring(entry.indexOf('=') + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
