package io.longhaul.ptcp.proxy;

import io.netty.channel.ChannelHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one session know together about their proxy: how it asked for credentials. May be used by
 * every thread.
 *
 * <h2>Use</h2>
 * A bootstrap gets {@link #newHandler} as the first handler of its channel, {@code NoopAddressResolverGroup} as its
 * resolver, and connects to the target's unresolved address. Its future ends when the tunnel stands or with an
 * {@link HttpProxyException}; after one of the kind {@link HttpProxyException.Kind#CHALLENGED} the same is done once
 * more, with a new handler.
 *
 * <h2>Design note</h2>
 * Proxies count the uses of a nonce and take a number that comes late for a replay, and parallel connections overtake
 * each other. So a nonce is used by one connection alone until a tunnel has stood with it. Only then it is shared, and
 * who is overtaken after that gets a nonce of its own with the proxy's answer. So a connection is never asked more than
 * twice because of the others.
 */
public final class HttpProxySession {
    private static final int UNTRIED = 32;
    private static final int CNONCE_BYTES = 16;
    private final HttpProxy proxy;
    private final Executor names;
    private final Supplier<String> cnonces;
    private final Deque<Authorizer> untried = new ArrayDeque<>(); // guarded by this; newest first
    private @Nullable Authorizer proven; // guarded by this
    private @Nullable CompletableFuture<InetSocketAddress> lookup; // guarded by this

    HttpProxySession(HttpProxy proxy, Executor names, Supplier<String> cnonces) {
        this.proxy = proxy;
        this.names = names;
        this.cnonces = cnonces;
    }

    /**
     * Returns one that knows nothing yet.
     *
     * @param names where the proxy's name is looked up, which may block
     */
    public static HttpProxySession of(HttpProxy proxy, Executor names) {
        SecureRandom random = new SecureRandom();
        return new HttpProxySession(proxy, names, () -> {
            byte[] bytes = new byte[CNONCE_BYTES];
            random.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        });
    }

    /**
     * Returns a handler for one channel. It connects to the proxy instead of the target, holds writes and the channel's
     * becoming active back until the tunnel stands, and removes itself then. The channel's connect timeout bounds the
     * connection to the proxy and then, anew, the time until the tunnel stands.
     */
    public ChannelHandler newHandler() {
        return new HttpConnectHandler(this);
    }

    HttpProxy proxy() {
        return proxy;
    }

    /**
     * Looks the proxy's address up, away from the event loops: once at a time, so that a name server that does not answer
     * takes one thread and not one for each channel.
     */
    synchronized CompletableFuture<InetSocketAddress> address() {
        CompletableFuture<InetSocketAddress> found = lookup;
        if (found == null || found.isDone()) {
            found = lookUp();
            lookup = found;
        }
        return found;
    }

    private CompletableFuture<InetSocketAddress> lookUp() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new InetSocketAddress(InetAddress.getByName(proxy.host()), proxy.port());
                    } catch (UnknownHostException e) {
                        throw new CompletionException(e);
                    }
                },
                names);
    }

    /**
     * What a request carries.
     *
     * @param proven whether a tunnel has stood with it, so that the credentials are right
     */
    record Offer(Authorizer authorizer, boolean proven) {}

    /** Returns what the first request of a connection should carry, if the proxy asked for anything before. */
    synchronized @Nullable Offer next() {
        Authorizer first = untried.poll();
        if (first != null) {
            return new Offer(first, false);
        }
        return proven == null ? null : new Offer(proven, true);
    }

    Optional<Offer> answer(List<Challenge> challenges) {
        return Authorizer.strongest(challenges, proxy, cnonces).map(chosen -> new Offer(chosen, false));
    }

    synchronized void succeeded(Offer offer) {
        proven = offer.authorizer();
    }

    synchronized void refused(Offer offer) {
        if (proven == offer.authorizer()) {
            proven = null;
        }
    }

    /** Leaves an answer, for which there was no connection any more, to the next one. */
    synchronized void leave(Offer offer) {
        untried.push(offer.authorizer());
        if (untried.size() > UNTRIED) {
            untried.removeLast();
        }
    }

    /** Returns the proxy's host and port. */
    @Override
    public String toString() {
        return proxy.toString();
    }
}
