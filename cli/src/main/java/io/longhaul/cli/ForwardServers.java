package io.longhaul.cli;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.Network;
import io.longhaul.gridftp.client.ServerUrl;
import io.longhaul.gridftp.fanout.EndingSink;
import io.longhaul.gridftp.fanout.FanOut;
import io.longhaul.gridftp.server.GridFtpBackend;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Copy;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Servers that a front may store at, opened when they are needed. Those stay open that were used last, one for each server and
 * login; one with a login that was refused stays too, so that the refused login is not repeated at once, but is the first to
 * go. Thread-safe.
 */
final class ForwardServers implements FanOut.Servers, AutoCloseable {
    private static final int MOST = 64;

    private final Set<String> allowed;
    private final String front;
    private final int most;
    private final Opener opener;
    private final SecureRandom random = new SecureRandom();
    private final Network network = new Network();
    private final Map<Copy.Server, Place> open = new LinkedHashMap<>(); // unused for longest first; guarded by this
    private final Map<Place, CompletableFuture<Void>> closing = new HashMap<>(); // guarded by this
    private final Set<String> owners = new HashSet<>(); // guarded by this
    private boolean closed; // guarded by this

    /** Opens the files of a server. */
    @FunctionalInterface
    interface Opener {
        Backend open(Copy.Server server, String owner);
    }

    /** The files of a server. */
    private static final class Place {
        private final Backend files;
        private final String owner;
        private int sinks; // that are open or being opened; guarded by the servers
        private boolean isRefused; // guarded by the servers

        Place(Backend files, String owner) {
            this.files = files;
            this.owner = owner;
        }
    }

    /**
     * Takes those that are allowed, in lower case.
     *
     * @param front who stores there: the same at every run, another for each front
     */
    ForwardServers(List<String> allowed, String front, LongSupplier nanoTime) {
        this.allowed = Set.copyOf(allowed);
        this.front = front;
        this.most = MOST;
        this.opener = (server, owner) -> GridFtpBackend.open(
                ClientConfig.of(url(server), credentials(server)), network, owner, nanoTime, random);
    }

    /** Takes how many may be open at a time, and who opens them. */
    ForwardServers(List<String> allowed, String front, int most, Opener opener) {
        this.allowed = Set.copyOf(allowed);
        this.front = front;
        this.most = most;
        this.opener = opener;
    }

    private static ServerUrl url(Copy.Server server) {
        return new ServerUrl(server.host(), server.port(), server.login().map(Copy.Login::user), FilePath.ROOT);
    }

    private static Credentials credentials(Copy.Server server) {
        return server.login()
                .map(login -> new Credentials(login.user(), login.password()))
                .orElseGet(Credentials::anonymous);
    }

    @Override
    public Optional<FanOut.Writer> of(Copy.Server server) {
        return allowed.contains(server.address().toLowerCase(Locale.ROOT))
                ? Optional.of(request -> write(server, request))
                : Optional.empty();
    }

    private CompletableFuture<Sink> write(Copy.Server server, WriteRequest request) {
        Optional<Place> taken = take(server);
        if (taken.isEmpty()) {
            return CompletableFuture.failedFuture(new BackendException(
                    Code.UNAVAILABLE,
                    server.address() + ": files are stored with " + most
                            + " other logins: Resource temporarily unavailable"));
        }
        Place place = taken.get();
        return CompletableFuture.completedFuture(place.files)
                .thenCompose(files -> files.write(request))
                .whenComplete((sink, failure) -> opened(
                        place,
                        failure == null,
                        BackendException.codeOf(failure).equals(Optional.of(Code.NOT_LOGGED_IN))))
                .thenApply(sink -> new EndingSink(sink, () -> ended(place)));
    }

    /** Returns where a sink may be opened, which is noted; empty when there is no room. */
    private synchronized Optional<Place> take(Copy.Server server) {
        if (closed) {
            return Optional.empty();
        }
        Place place = open.remove(server);
        if (place == null) {
            if (open.size() >= most && !dropOne()) {
                return Optional.empty();
            }
            String owner = owner(server.address(), credentials(server).user());
            place = new Place(opener.open(server, owner), owner);
        }
        open.put(server, place);
        place.sinks++;
        return Optional.of(place);
    }

    private synchronized void opened(Place place, boolean isOpen, boolean isRefused) {
        place.isRefused = isRefused;
        place.sinks -= isOpen ? 0 : 1;
    }

    private synchronized void ended(Place place) {
        place.sinks--;
    }

    /** Closes one that nobody stores at; returns whether there was one. */
    private synchronized boolean dropOne() {
        Optional<Map.Entry<Copy.Server, Place>> unused = open.entrySet().stream()
                .filter(candidate -> candidate.getValue().sinks == 0)
                .min(Comparator.comparing(candidate -> !candidate.getValue().isRefused));
        if (unused.isEmpty() || closing.size() >= most) {
            return false;
        }
        Place dropped = unused.get().getValue();
        open.values().remove(dropped);
        closeSoon(dropped);
        return true;
    }

    /** Whoever closes it waits for its server. */
    private synchronized void closeSoon(Place place) {
        CompletableFuture<Void> over =
                CompletableFuture.runAsync(place.files::close, task -> new Thread(task, "gridftp-close").start());
        closing.put(place, over);
        over.whenComplete((done, failure) -> closed(place));
    }

    private synchronized void closed(Place place) {
        owners.remove(place.owner);
        closing.remove(place);
    }

    /**
     * Returns who writes there: the same at the next run, which finds by it what this one put aside. Two logins may see the same
     * directory, and must not tidy each other's unfinished files away; so must not one user with two passwords.
     */
    synchronized String owner(String address, String user) {
        String owner = front + " " + user + "@" + address.toLowerCase(Locale.ROOT);
        return owners.add(owner) ? owner : HexFormat.of().toHexDigits(random.nextLong());
    }

    @Override
    public void close() {
        CompletableFuture<Void> over;
        synchronized (this) {
            closed = true;
            open.values().forEach(this::closeSoon);
            open.clear();
            over = CompletableFuture.allOf(closing.values().toArray(CompletableFuture<?>[]::new));
        }
        over.join();
        network.close();
    }
}
