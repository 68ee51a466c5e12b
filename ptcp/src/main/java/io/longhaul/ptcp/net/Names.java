package io.longhaul.ptcp.net;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up on threads of its own, since the system's look-up blocks and neither a session's event loop nor who
 * opens one may wait for it.
 *
 * <p>A name is looked up once at a time, so that many channels to one host that nobody answers for do not hold up the
 * others. Thread-safe.
 */
final class Names extends AddressResolverGroup<InetSocketAddress> {
    private static final int MOST_THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final Lookup lookup;
    private final ThreadPoolExecutor threads;
    private final Map<String, CompletableFuture<InetAddress>> underway = new ConcurrentHashMap<>();

    /** A way to look a name up that may block. */
    @FunctionalInterface
    interface Lookup {
        InetAddress find(String host) throws UnknownHostException;
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

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetSocketAddressResolver(executor, new InetNameResolver(executor) {
            @Override
            protected void doResolve(String host, Promise<InetAddress> promise) {
                find(host).whenComplete((address, failure) -> {
                    if (executor.isShuttingDown()) {
                        return; // nobody waits for it any more, nor could be told
                    }
                    if (failure == null) {
                        promise.trySuccess(address);
                    } else {
                        promise.tryFailure(failure);
                    }
                });
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
                throw new UnsupportedOperationException("a channel connects to one address");
            }
        });
    }

    private CompletableFuture<InetAddress> find(String host) {
        CompletableFuture<InetAddress> found = underway.computeIfAbsent(host, this::begin);
        found.whenComplete((address, failure) -> underway.remove(host, found));
        return found;
    }

    private CompletableFuture<InetAddress> begin(String host) {
        CompletableFuture<InetAddress> found = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    found.complete(lookup.find(host));
                } catch (UnknownHostException | RuntimeException | Error e) {
                    found.completeExceptionally(e); // or all later questions would wait for this one
                }
            });
        } catch (RejectedExecutionException e) {
            found.completeExceptionally(e);
        }
        return found;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        super.close();
    }
}
