package io.longhaul.cli;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.ServerUrl;
import io.longhaul.gridftp.fanout.FanOut;
import io.longhaul.gridftp.server.GridFtpBackend;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Copy;
import io.longhaul.gridftp.spi.FilePath;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** Servers that a front may store at, opened when they are needed. Thread-safe. */
final class ForwardServers implements FanOut.Servers, AutoCloseable {
    /** Back ends that stay open: one for each server and login. */
    private static final int MOST = 64;

    private final Set<String> allowed;
    private final String front;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private final Map<Copy.Server, Backend> open = new LinkedHashMap<>(); // guarded by this
    private final Set<String> owners = new HashSet<>(); // guarded by this
    private boolean closed; // guarded by this

    /**
     * Takes those that are allowed, in lower case.
     *
     * @param front who stores there: the same at every run, another for each front
     */
    ForwardServers(List<String> allowed, String front, LongSupplier nanoTime) {
        this.allowed = Set.copyOf(allowed);
        this.front = front;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized Optional<Backend> of(Copy.Server server) {
        boolean known = open.containsKey(server);
        if (closed || !allowed.contains(server.address().toLowerCase(Locale.ROOT)) || !known && open.size() >= MOST) {
            return Optional.empty();
        }
        return Optional.of(open.computeIfAbsent(server, this::open));
    }

    private Backend open(Copy.Server server) {
        Optional<String> user = server.login().map(Copy.Login::user);
        ServerUrl url = new ServerUrl(server.host(), server.port(), user, FilePath.ROOT);
        Credentials credentials = server.login()
                .map(login -> new Credentials(login.user(), login.password()))
                .orElseGet(Credentials::anonymous);
        String owner = owner(server.address(), credentials.user());
        return GridFtpBackend.open(ClientConfig.of(url, credentials), owner, nanoTime, random);
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
    public synchronized void close() {
        closed = true;
        open.values().forEach(Backend::close);
        open.clear();
    }
}
