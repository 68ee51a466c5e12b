package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.RestartMarker;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the server reports of an upload while it goes on (GFD.20 section 3.5), and who waits for that. Thread-safe. */
final class Reported {
    private final ByteRanges marked = new ByteRanges(); // guarded by this
    private final List<Wait> waits = new ArrayList<>(); // guarded by this
    private volatile long bytes = -1;

    /** Somebody waits for the server to have these. */
    private record Wait(List<ByteRange> ranges, CompletableFuture<Void> known) {}

    /** The server had these before. */
    synchronized void add(List<ByteRange> present) {
        present.forEach(range -> marked.add(range.start(), range.end()));
    }

    /**
     * Takes a preliminary reply.
     *
     * @param origin the position that is 0 to the server
     */
    void take(Reply reply, long origin) {
        if (reply.code() == 111) {
            ranges(reply.lines().get(0), origin);
        } else if (reply.code() == 112) {
            reply.lines().stream()
                    .map(String::strip)
                    .filter(line -> line.matches("Stripe Bytes Transferred: *[0-9]{1,18}"))
                    .findFirst()
                    .ifPresent(line -> bytes = Long.parseLong(
                            line.substring(line.lastIndexOf(':') + 1).strip()));
        }
    }

    private void ranges(String marker, long origin) {
        List<ByteRange> ranges;
        try {
            ranges = RestartMarker.parse(marker.substring(marker.lastIndexOf(' ') + 1))
                    .present();
        } catch (ProtocolException e) {
            // a marker that nobody understands promises nothing
            return;
        }
        List<CompletableFuture<Void>> known = new ArrayList<>();
        synchronized (this) {
            ranges.forEach(range -> marked.add(range.start() + origin, range.end() + origin));
            waits.removeIf(wait -> has(wait.ranges()) && known.add(wait.known()));
        }
        known.forEach(wait -> wait.complete(null));
    }

    private boolean has(List<ByteRange> ranges) {
        return ranges.stream().allMatch(marked::contains);
    }

    /** Completes a future when the server has said that it has these. */
    void await(List<ByteRange> ranges, CompletableFuture<Void> known) {
        synchronized (this) {
            if (!has(ranges)) {
                waits.removeIf(wait -> wait.known().isDone());
                waits.add(new Wait(ranges, known));
                return;
            }
        }
        known.complete(null);
    }

    /** The server has everything. */
    void endWell() {
        takeWaits().forEach(wait -> wait.complete(null));
    }

    /** The server will say no more. */
    void end(Throwable failure) {
        takeWaits().forEach(wait -> wait.completeExceptionally(failure));
    }

    private synchronized List<CompletableFuture<Void>> takeWaits() {
        List<CompletableFuture<Void>> left = waits.stream().map(Wait::known).toList();
        waits.clear();
        return left;
    }

    /** Returns what the server has said it has. */
    synchronized ByteRanges marked() {
        return ByteRanges.of(marked.list());
    }

    /** Returns how many of the bytes that were sent the server has, as far as it says so. */
    long reached(long sent) {
        return bytes < 0 ? sent : Math.min(bytes, sent);
    }
}
