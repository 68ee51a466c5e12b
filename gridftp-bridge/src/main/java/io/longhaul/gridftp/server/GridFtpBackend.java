package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.Network;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** A GridFTP or FTP server as a back end, seen by one of its users. Thread-safe; owns its connections and threads. */
public final class GridFtpBackend implements Backend {
    private static final long STOP_SECONDS = 5;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final SessionPool pool;
    private final Server server;
    private final Optional<Network> network;

    private GridFtpBackend(SessionPool pool, Server server, Optional<Network> network) {
        this.pool = pool;
        this.server = server;
        this.network = network;
    }

    /**
     * Prepares; connects when something is asked for, so that a server may be down meanwhile.
     *
     * @param owner who writes there, and nobody else at the same time: what a killed process of the same owner left is
     *     removed when its directory is listed
     * @param random for names of files that are not whole
     */
    public static GridFtpBackend open(
            ClientConfig config, String owner, LongSupplier nanoTime, RandomGenerator random) {
        Network network = new Network();
        return open(config, network, owner, nanoTime, random).owning(network);
    }

    /**
     * As {@link #open(ClientConfig, String, LongSupplier, RandomGenerator)}.
     *
     * @param network stays the caller's to close after this
     */
    public static GridFtpBackend open(
            ClientConfig config, Network network, String owner, LongSupplier nanoTime, RandomGenerator random) {
        SessionPool pool = new SessionPool(config, network, nanoTime);
        Places places = new Places(config.url().base(), owner, random);
        Namespace names = new Namespace(places, Clock.systemUTC());
        Server server = new Server(pool, names, new Checking(), new Remains(nanoTime), new PathLocks());
        return new GridFtpBackend(pool, server, Optional.empty());
    }

    private GridFtpBackend owning(Network own) {
        return new GridFtpBackend(pool, server, Optional.of(own));
    }

    /**
     * Returns the same server as another user sees it, to be closed too.
     *
     * @param shared stays the caller's to close after both
     */
    GridFtpBackend as(Credentials login, Network shared, LongSupplier nanoTime) {
        SessionPool other = new SessionPool(pool.config().withCredentials(login), shared, nanoTime);
        return new GridFtpBackend(other, server.ofAnotherLogin(other, nanoTime), Optional.empty());
    }

    private Namespace names() {
        return server.names();
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        return pool.talk(lease -> names().stat(lease.session(), path));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return pool.talk(lease -> names().list(lease.session(), path).entries());
    }

    @Override
    public CompletableFuture<Directory> directory(FilePath path) {
        return pool.talk(lease -> names().list(lease.session(), path));
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return done(session -> names().makeDirectory(session, path));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return done(session -> names().removeDirectory(session, path));
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return done(session -> names().deleteFile(session, path));
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        return done(session -> names().rename(session, from, to));
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return done(session -> names().setModified(session, path, time));
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return done(session -> names().setMode(session, path, mode));
    }

    private CompletableFuture<Void> done(Consumer<Session> command) {
        return pool.talk(lease -> {
            command.accept(session(lease));
            return null;
        });
    }

    private static Session session(SessionPool.Lease lease) {
        try {
            return lease.session();
        } catch (BackendException e) {
            throw e.untried();
        }
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        return pool.talkLong(lease -> {
            progress.accept(0); // who waited for the session may have gone
            Session session = lease.session();
            AtomicLong done = new AtomicLong();
            LongConsumer told = bytes -> {
                done.set(bytes);
                tell(progress, bytes, session);
            };
            // a server may compute for long without a word
            Future<?> looking = pool.every(LOOK, () -> told.accept(done.get()));
            try {
                long size = file(session, path).length();
                ByteRange within = new ByteRange(Math.min(size, range.start()), Math.min(size, range.end()));
                return server.checking().checksum(session, names().places().of(path), algorithm, within, size, told);
            } finally {
                looking.cancel(false);
            }
        });
    }

    /** What nobody wants any more ends with its session: nothing else stops a server. */
    private static void tell(LongConsumer progress, long bytes, Session session) {
        try {
            progress.accept(bytes);
        } catch (CancellationException e) {
            session.close();
        }
    }

    private Entry file(Session session, FilePath path) {
        Entry entry = names().stat(session, path);
        if (entry.type() != Entry.Type.FILE) {
            throw entry.isDirectory()
                    ? new BackendException(Code.IS_A_DIRECTORY, path + ": Is a directory")
                    : new BackendException(Code.DENIED, path + ": Permission denied: it is no file");
        }
        return entry;
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return leased(lease -> opened(lease, path, file(lease.session(), path), ranges));
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, Entry known, List<ByteRange> ranges) {
        return leased(lease -> opened(lease, path, known, ranges));
    }

    private Source opened(SessionPool.Lease lease, FilePath path, Entry file, List<ByteRange> ranges) {
        long size = file.length();
        List<ByteRange> within = ranges.stream()
                .filter(range -> range.start() < size && !range.isEmpty())
                .map(range -> new ByteRange(range.start(), Math.min(size, range.end())))
                .toList();
        return ServerSource.open(path, names().places().of(path), size, pool, lease, within);
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        return leased(lease -> Writing.open(server, lease, request));
    }

    @Override
    public CompletableFuture<Void> discard(String temporary) {
        if (!names().places().isLeft(temporary)) {
            return CompletableFuture.completedFuture(null);
        }
        server.remains().remove(temporary);
        return pool.talk(lease -> {
            server.tidy(lease.session());
            return null;
        });
    }

    /** For what goes on with the session; it is given back only when that does not come about. */
    private <T> CompletableFuture<T> leased(Function<SessionPool.Lease, T> talk) {
        return pool.lease()
                .thenCompose(lease -> pool.run(() -> talk.apply(lease)).whenComplete((opened, failure) -> {
                    if (failure != null) {
                        lease.close();
                    }
                }));
    }

    /** Ends all sessions, after removing temporary files: of writes that are open, and those kept for resuming. */
    @Override
    public void close() {
        server.remains().forgetAll();
        names().places().used().forEach(server.remains()::remove);
        Optional<CompletableFuture<Void>> tidying =
                server.remains().hasUnwanted() ? Optional.of(server.tidySoon()) : Optional.empty();
        tidying.ifPresent(last ->
                last.completeOnTimeout(null, STOP_SECONDS, TimeUnit.SECONDS).join());
        // whoever waits to try again need not
        server.remains().takeUnwanted();
        pool.close();
        network.ifPresent(Network::close);
    }
}
