package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Which clients are sending what. One that is tried again before its first session has ended, since that one is stopped or its
 * network is gone, goes on with what the first one has sent. Thread-safe.
 */
final class OpenSinks {
    private final Map<Place, UploadSink> sinks = new HashMap<>(); // guarded by this

    /** A client sends something; returns the sink. */
    synchronized UploadSink opened(Place place, UploadSink sink) {
        if (sink.upload().isWholeFile()) {
            sinks.put(place, sink);
            sink.ended().whenComplete((done, failure) -> ended(place, sink));
        }
        return sink;
    }

    private synchronized void ended(Place place, UploadSink sink) {
        sinks.remove(place, sink);
    }

    /** Done when what another session of the same user has left of a file is as it will be found. */
    CompletableFuture<Void> before(Place place, Kind kind) {
        UploadSink other;
        synchronized (this) {
            other = sinks.get(place);
        }
        if (other == null || kind == Kind.OVERLAY || kind == Kind.APPEND) {
            return CompletableFuture.completedFuture(null);
        }
        return other.madeWay();
    }
}
