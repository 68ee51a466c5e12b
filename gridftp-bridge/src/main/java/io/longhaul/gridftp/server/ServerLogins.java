package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.Network;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A GridFTP or FTP server as the back end of several users, each of whom logs in there as somebody of their own: what the server
 * lets that login do is what the user may. Thread-safe; owns connections and threads, a pool of sessions for each login.
 */
public final class ServerLogins implements Backends, AutoCloseable {
    private final ClientConfig server;
    private final Logins logins;
    private final String owner;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private final Network network = new Network();
    private final Map<Credentials, GridFtpBackend> open = new HashMap<>(); // guarded by this
    private boolean closed; // guarded by this

    private ServerLogins(
            ClientConfig server, Logins logins, String owner, LongSupplier nanoTime, RandomGenerator random) {
        this.server = server;
        this.logins = logins;
        this.owner = owner;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /**
     * Prepares; logs in when something is asked for.
     *
     * @param server whose credentials nobody uses
     * @param owner as that of a {@link GridFtpBackend}
     * @param random for names of files that are not whole
     */
    public static ServerLogins open(
            ClientConfig server, Logins logins, String owner, LongSupplier nanoTime, RandomGenerator random) {
        return new ServerLogins(server, logins, owner, nanoTime, random);
    }

    private Credentials credentials(Principal user) {
        return logins.of(user)
                .orElseThrow(() -> new BackendException(
                        Code.NOT_LOGGED_IN,
                        "Not logged in: no login at " + server.url().address() + " for user " + Logins.name(user)));
    }

    /** Returns the server as a user's login sees it; throws {@link Code#NOT_LOGGED_IN} for a user without one. */
    @Override
    public Backend of(Principal user) {
        return as(credentials(user));
    }

    @Override
    public String login(Principal user) {
        return credentials(user).user();
    }

    /** Returns the server as it is seen by who is no user of a front, if there is a login for others. */
    public Optional<Backend> ofOthers() {
        return logins.others().map(this::as);
    }

    private synchronized Backend as(Credentials login) {
        if (closed) {
            throw new BackendException(Code.UNAVAILABLE, server.url().address() + ": the back end is closed");
        }
        return open.computeIfAbsent(
                login,
                fresh -> open.values().stream()
                        .findFirst()
                        .map(other -> other.as(login, network, nanoTime))
                        .orElseGet(() ->
                                GridFtpBackend.open(server.withCredentials(login), network, owner, nanoTime, random)));
    }

    /** Ends all sessions, side by side, since each waits for who tidies up. */
    @Override
    public void close() {
        CompletableFuture<Void> closing;
        synchronized (this) {
            closed = true;
            closing = CompletableFuture.allOf(open.values().stream()
                    .map(each ->
                            CompletableFuture.runAsync(each::close, task -> new Thread(task, "gridftp-close").start()))
                    .toArray(CompletableFuture<?>[]::new));
        }
        closing.join();
        network.close();
    }
}
