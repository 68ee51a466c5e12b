package io.longhaul.broker.artemis;

import io.longhaul.wire.BrokerReport;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Which brokers have queues that run dry, since a neighbour no longer wants over their link what comes over another one.
 *
 * <p>Such a queue still takes what is on its way to it. What enters the network after everybody has heard of it comes the
 * other way, whose queues were there before: messages say what their first broker had heard, so that the queue does not take
 * them, and no link carries them a second time. Thread-safe.
 */
final class Drains {
    private static final int MOST = 100;

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
                return Long.parseLong(each.substring(prefix.length())) >= number;
            }
        }
        return false;
    }
}
