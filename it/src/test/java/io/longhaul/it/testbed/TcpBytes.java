package io.longhaul.it.testbed;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TCP sent from one site of an emulated network to others, from here on: the kernel's own counters of each connection
 * ({@code tcp_info}, as {@code ss -ti} shows it), of those that live and, as they end, of those that do not.
 */
public final class TcpBytes {
    private static final Pattern PEER = Pattern.compile("^\\S+ +\\d+ +\\d+ +\\S+ +\\[?(?:::ffff:)?([0-9.]+)]?:\\d+ ");
    private static final Pattern SENT = Pattern.compile(" bytes_sent:(\\d+)");
    private static final Pattern AGAIN = Pattern.compile(" bytes_retrans:(\\d+)");

    private final Testbed testbed;
    private final Wan wan;
    private final String site;
    private final Child ends;

    /**
     * Bytes of payload, without any header.
     *
     * @param first sent for the first time: {@code bytes_sent} less {@code bytes_retrans}
     * @param again {@code bytes_retrans}
     */
    public record Sent(long first, long again) {
        public Sent plus(Sent other) {
            return new Sent(first + other.first, again + other.again);
        }

        public Sent minus(Sent other) {
            return new Sent(first - other.first, again - other.again);
        }
    }

    private TcpBytes(Testbed testbed, Wan wan, String site) {
        this.testbed = testbed;
        this.wan = wan;
        this.site = site;
        // by the line, since it is never asked to end well
        this.ends = ss("ends", "stdbuf", "-oL", "ss", "-tinHEO");
    }

    /** Counts what a site sends. */
    public static TcpBytes of(Testbed testbed, Wan wan, String site) {
        return new TcpBytes(testbed, wan, site);
    }

    /** Returns what has been sent to a site so far. */
    public Sent to(String other) {
        Child alive = ss("alive", "ss", "-tinHO").expectExit(0);
        return sum(alive, other).plus(sum(ends, other));
    }

    private Child ss(String what, String... command) {
        return testbed.start("tcp-" + site + '-' + what, wan.at(site, List.of(command)), wan.environment());
    }

    private static Sent sum(Child printed, String other) {
        return printed.output().stream()
                .map(OutputLine::text)
                .filter(line -> isTo(line, Wan.address(other)))
                .map(line -> new Sent(number(SENT, line) - number(AGAIN, line), number(AGAIN, line)))
                .reduce(new Sent(0, 0), Sent::plus);
    }

    private static boolean isTo(String line, String address) {
        Matcher peer = PEER.matcher(line);
        return peer.find() && peer.group(1).equals(address);
    }

    private static long number(Pattern counter, String line) {
        Matcher found = counter.matcher(line);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
