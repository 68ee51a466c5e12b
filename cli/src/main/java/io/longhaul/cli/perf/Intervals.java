package io.longhaul.cli.perf;

import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.ptcp.perf.PerfProgress;
import io.longhaul.ptcp.perf.PerfResult;
import java.util.Locale;

/** Prints a line for each interval of a test, the begun last one included. Thread-safe. */
public final class Intervals {
    /** A shorter rest says nothing. */
    private static final long LEAST_REST_NS = 10_000_000;

    private final Console console;
    private final long leastNs;
    private long lastNs; // guarded by this, as all below
    private long lastBytes;
    private int streams;
    private long roundTripNs;
    private boolean ended;

    /** Takes how long an interval is; once the machine has stood still, calls come in a row. */
    public Intervals(Console console, long periodNs) {
        this.console = console;
        this.leastNs = Math.max(1, periodNs / 2);
    }

    /** Ends an interval. */
    public synchronized void next(PerfProgress progress) {
        if (!ended && progress.nanos() - lastNs >= leastNs) {
            streams = progress.streams();
            roundTripNs = progress.roundTripNanos();
            print(progress.nanos(), progress.bytes());
        }
    }

    /** Ends the last interval, with what the receiver counted. */
    public synchronized void end(PerfResult result) {
        if (!ended && result.nanos() - lastNs >= LEAST_REST_NS) {
            streams = result.streams().size();
            roundTripNs = result.roundTripNanos();
            print(result.nanos(), Math.max(lastBytes, result.bytes()));
        }
        ended = true;
    }

    private void print(long nanos, long bytes) {
        double from = lastNs / 1e9;
        double to = nanos / 1e9;
        long count = bytes - lastBytes;
        double rate = count * 8 / (to - from);
        console.result(
                String.format(
                        Locale.ROOT,
                        "%7.2f - %7.2f s  %9s  %12s  %2d streams, round trip %s",
                        from,
                        to,
                        Amounts.bytes(count),
                        Amounts.bitRate(rate),
                        streams,
                        roundTripNs == 0 ? "unknown" : String.format(Locale.ROOT, "%.2f ms", roundTripNs / 1e6)),
                JsonLine.of("interval")
                        .with("startSeconds", from)
                        .with("endSeconds", to)
                        .with("bytes", count)
                        .with("bitsPerSecond", Math.round(rate))
                        .with("streams", streams)
                        .with("roundTripMicros", roundTripNs / 1000));
        lastNs = nanos;
        lastBytes = bytes;
    }
}
