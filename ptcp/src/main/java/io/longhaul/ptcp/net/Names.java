package io.longhaul.ptcp.net;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up on threads of its own, since the system's look-up blocks and neither a session's event loop nor who
 * opens one may wait for it.
 *
 * <p>A name is looked up once at a time, so that many channels to one host that nobody answers for do not hold up the
 * others. Thread-safe.
 */
final class Names implements AutoCloseable {
    private static final int MOST_THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final Lookup lookup;
    private final ThreadPoolExecutor threads;
    private final Map<String, CompletableFuture<List<InetAddress>>> underway = new ConcurrentHashMap<>();

    /** A way to look a name up that may block. */
    @FunctionalInterface
    interface Lookup {
        List<InetAddress> find(String host) throws UnknownHostException;
    }

    Names(String name, Lookup lookup) {
        this.lookup = lookup;
        this.threads = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(name + "-names", true));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns the addresses of a host, at least one, the best first; or fails. */
    CompletableFuture<List<InetAddress>> find(String host) {
        CompletableFuture<List<InetAddress>> found = underway.computeIfAbsent(host, this::begin);
        // gone before anybody hears of it: who asks again then asks anew
        return found.whenComplete((address, failure) -> underway.remove(host, found));
    }

    private CompletableFuture<List<InetAddress>> begin(String host) {
        CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    found.complete(lookup.find(host));
                } catch (UnknownHostException | RuntimeException | Error e) {
                    found.completeExceptionally(e); // or all later questions would wait for this one
                }
            });
        } catch (RuntimeException | Error e) {
            found.completeExceptionally(e);
        }
        return found;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
