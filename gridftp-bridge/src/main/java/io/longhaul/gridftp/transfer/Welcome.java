package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Directories whose server has just taken a file of a user. The next small one is probably taken, too, so that its client need not
 * wait for that to be asked: where it is refused, the client hears of it when it has sent it. Thread-safe.
 */
final class Welcome {
    private static final Duration RECENT = Duration.ofMinutes(1);
    private static final int MOST = 1024;

    private final LongSupplier nanoTime;
    private final Map<Place, Long> taken = new LinkedHashMap<>(); // oldest first; guarded by this

    Welcome(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private static Place directory(Place file) {
        FilePath path = file.path();
        return new Place(file.endpoint(), path.isRoot() ? path : path.parent(), file.user());
    }

    /** The server has taken a file, or has not. */
    synchronized void ended(Place file, boolean isTaken) {
        Place directory = directory(file);
        taken.remove(directory);
        if (isTaken) {
            taken.put(directory, nanoTime.getAsLong());
        }
        if (taken.size() > MOST) {
            taken.remove(taken.keySet().iterator().next());
        }
    }

    /** Returns whether nobody needs to ask before. */
    synchronized boolean isCertain(Place file, WriteRequest request) {
        Long sinceNs = taken.get(directory(file));
        return sinceNs != null
                && nanoTime.getAsLong() - sinceNs < RECENT.toNanos()
                && request.kind() == Kind.REPLACE
                && request.expectedBytes() > 0
                && request.expectedBytes() <= Holder.PUSHED_BYTES;
    }
}
