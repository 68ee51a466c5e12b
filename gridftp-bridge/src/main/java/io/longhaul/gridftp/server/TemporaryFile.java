package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.BlockUpload;
import io.longhaul.gridftp.client.ClientLimits;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.client.StreamUpload;
import io.longhaul.gridftp.client.Upload;
import io.longhaul.gridftp.client.Waiting;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A file under its {@link WorkingName} that bytes are being sent to. Everything but {@link #write} may wait, and belongs to one
 * thread at a time.
 */
final class TemporaryFile {
    /** Opening several connections costs more than they gain. */
    private static final long SMALL_BYTES = 1024 * 1024;

    private static final int TRIES = 20;
    private static final Duration PAUSE = Duration.ofMillis(250);

    /** The upload itself knows when it takes too long. */
    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final Server server;
    private final SessionPool.Lease lease;
    private final FilePath path;
    private final Upload upload;
    private final Remains.Part part;
    private String place;

    private TemporaryFile(Server server, SessionPool.Lease lease, FilePath path, Upload upload, Remains.Part part) {
        this.server = server;
        this.lease = lease;
        this.path = path;
        this.upload = upload;
        this.part = part;
        this.place = part.place();
    }

    /**
     * Begins a new one for a path.
     *
     * @param expectedBytes 0 for unknown
     * @param ordered whether bytes come one after the other
     */
    static TemporaryFile create(
            Server server, SessionPool.Lease lease, FilePath path, long expectedBytes, boolean ordered) {
        return create(
                server, lease, path, expectedBytes, ordered, WorkingName.begin(server, lease.session(), path, ordered));
    }

    private static TemporaryFile create(
            Server server, SessionPool.Lease lease, FilePath path, long expectedBytes, boolean ordered, String place) {
        Session session = lease.session();
        boolean extended = !ordered && hasExtendedBlocks(session);
        List<String> store = List.of("STOR " + place);
        try {
            Upload upload = extended
                    ? BlockUpload.begin(
                            path.toString(),
                            session,
                            BlockUpload.Extent.none(),
                            connections(session, expectedBytes),
                            store)
                    : StreamUpload.begin(path.toString(), session, 0, store);
            server.names().places().taken(place);
            return checked(new TemporaryFile(
                    server, lease, path, upload, new Remains.Part(place, new ByteRanges(), !extended, new Pieces())));
        } catch (BackendException e) {
            boolean isRefused = session.isReady() && e.code() != Code.UNAVAILABLE && e.code() != Code.NO_SPACE;
            if (isRefused || WorkingName.isOwn(server, path, place)) {
                WorkingName.end(server, path, place);
            } else {
                // it may have been made before the session died, or the server found no data connection or no room
                server.remains().remove(place);
                server.tidyLater();
            }
            Optional<String> other =
                    isRefused ? WorkingName.instead(server, session, path, place, ordered) : Optional.empty();
            if (other.isEmpty()) {
                throw e;
            }
            return create(server, lease, path, expectedBytes, ordered, other.get());
        }
    }

    /** A server that makes another name of it shows that now, while nothing has been sent. */
    private static TemporaryFile checked(TemporaryFile file) {
        try (SessionPool.Lease other = file.server.pool().second()) {
            if (!Namespace.isPrintable(file.place)) {
                file.server.names().check(other.session(), file.place, file.path.toString());
            }
            return file;
        } catch (BackendException e) {
            file.discard();
            throw e;
        }
    }

    private static boolean hasExtendedBlocks(Session session) {
        return session.config().extended() && session.features().hasExtendedBlocks();
    }

    private static int connections(Session session, long expectedBytes) {
        ClientLimits limits = session.config().limits();
        return expectedBytes > 0 && expectedBytes <= SMALL_BYTES ? 1 : limits.parallelism();
    }

    /**
     * Goes on with one that is there, or that the server keeps for a restart without showing it.
     *
     * @param present what the sender takes for granted, which is all that counts of it from now on
     */
    static TemporaryFile reopen(
            Server server, SessionPool.Lease lease, FilePath path, Remains.Part old, List<ByteRange> present) {
        Session session = lease.session();
        Optional<Entry> visible = server.names().find(session, old.place(), "", path.toString());
        ByteRanges granted = ByteRanges.of(present);
        boolean isPrefix = granted.count() == 1 && granted.isWhole();
        if (visible.isPresent() && visible.get().length() < granted.end() || !isPrefix && !hasExtendedBlocks(session)) {
            throw gone(path, "the server has " + visible.map(Entry::length).orElse(0L) + " bytes of it");
        }
        old.pieces().retain(granted.list());
        long end = granted.end();
        boolean asPart = visible.isPresent() && isPrefix;
        Upload upload;
        boolean extended = hasExtendedBlocks(session);
        try {
            if (asPart && extended && session.features().has("ESTO")) {
                upload = BlockUpload.begin(
                        path.toString(),
                        session,
                        new BlockUpload.Extent(end, granted.list()),
                        connections(session, 0),
                        List.of("ESTO A " + end + " " + old.place()));
            } else if (asPart) {
                extended = false;
                upload = StreamUpload.begin(
                        path.toString(), session, end, List.of("REST " + end, "STOR " + old.place()));
            } else if (extended) {
                upload = BlockUpload.begin(
                        path.toString(),
                        session,
                        new BlockUpload.Extent(0, granted.list()),
                        connections(session, 0),
                        List.of("REST " + granted, "STOR " + old.place()));
            } else {
                throw gone(path, "the server does not show it");
            }
        } catch (BackendException e) {
            if (e.code() == Code.UNAVAILABLE || e.code() == Code.NO_SPACE) {
                throw e;
            }
            throw gone(path, String.valueOf(e.getMessage()));
        }
        return new TemporaryFile(
                server, lease, path, upload, new Remains.Part(old.place(), granted, !extended, old.pieces()));
    }

    private static BackendException gone(FilePath path, String why) {
        return new BackendException(Code.BAD_RANGE, path + ": the bytes before the restart are not here: " + why);
    }

    String place() {
        return place;
    }

    /** Returns whether it has its own name already: what is left of it is then seen by everybody, and kept for nobody. */
    boolean isDirect() {
        return WorkingName.isOwn(server, path, place);
    }

    /** Sends bytes, which it releases; may be called on any thread. */
    CompletableFuture<Void> write(long position, ByteBuf bytes) {
        part.pieces().add(position, bytes);
        return upload.write(position, bytes);
    }

    /**
     * Waits until the server has what was written up to now, as far as it can be seen; may be called on any thread.
     */
    CompletableFuture<Void> mark() {
        return part.isOrdered() ? upload.taken().thenCompose(length -> grown(length, TRIES)) : upload.mark();
    }

    /**
     * In MODE S the server says nothing, but the file is as long as what it has of it. Where that is not to be seen, nobody
     * waits for ever: who goes on with the file looks again.
     */
    private CompletableFuture<Void> grown(long length, int tries) {
        return server.pool()
                .run(() -> tries == 0 || isAsLong(length))
                .exceptionally(failure -> true)
                .thenCompose(isThere -> isThere
                        ? CompletableFuture.completedFuture(null)
                        : server.pool().after(PAUSE).thenCompose(done -> grown(length, tries - 1)));
    }

    private boolean isAsLong(long length) {
        try (SessionPool.Lease other = server.pool().second()) {
            return server.names()
                    .find(other.session(), place, "", path.toString())
                    .map(entry -> entry.length() >= length)
                    .orElse(true);
        }
    }

    /** Returns what a later write can go on with when this one ends now. */
    private Remains.Part rest(ByteRanges ranges) {
        ByteRanges all = ByteRanges.of(ranges.list());
        all.addAll(part.ranges());
        return new Remains.Part(place, all, part.isOrdered(), part.pieces());
    }

    /** Ends it where it is, and returns what can be gone on with. */
    Remains.Part leave() {
        try {
            Waiting.on(upload.finish(false), FOREVER, path.toString());
            return rest(upload.sent());
        } catch (BackendException e) {
            // a server that does not take a file with holes may keep what it has promised
            return rest(part.isOrdered() ? upload.sent() : upload.marked());
        }
    }

    /** Returns how many of the bytes that were written the server has. */
    long reached() {
        return upload.reached();
    }

    /**
     * Sends what is left and compares what the server has with it; returns the length.
     *
     * @param progress told how many of the bytes that were written have reached the server, whenever something moves
     */
    long finish(LongConsumer progress) {
        upload.listen(progress);
        Reply said = Waiting.on(upload.finish(true), FOREVER, path.toString());
        long length = Math.max(upload.sent().end(), part.ranges().end());
        for (ByteRange zeros : known().missing(length)) {
            part.pieces().addZeros(zeros);
        }
        long found = length();
        if (found > length) {
            shorten(found, length, progress);
            found = length();
        }
        if (found != length) {
            throw Checking.length(path.toString(), length, found, said);
        }
        server.checking()
                .compare(
                        lease.session(),
                        path.toString(),
                        place,
                        length,
                        part.pieces().runs(),
                        checked -> progress.accept(upload.reached()));
        return length;
    }

    /** Returns what is no hole: bytes that were written, now or before the restart. */
    private ByteRanges known() {
        ByteRanges known = part.pieces().covered();
        known.addAll(part.ranges());
        return known;
    }

    private long length() {
        return server.names()
                .find(lease.session(), place, "", path.toString())
                .map(Entry::length)
                .orElse(-1L);
    }

    /** Bytes behind the end were left by the write that this one goes on with. */
    private void shorten(long found, long length, LongConsumer progress) {
        Session session = lease.session();
        // what has its own name already is written anew: a copy of it would be taken from what is seen, and not be
        // removed after
        if (session.call("SITE TRNC " + length + " " + place).isPositive() || isDirect()) {
            return;
        }
        TemporaryFile copy = create(server, lease, path, length, true);
        try {
            LongConsumer moved = copied -> progress.accept(upload.reached());
            copy.copy(place, new ByteRange(0, length), found, 0, moved);
            copy.finish(moved);
        } catch (BackendException e) {
            copy.discard();
            throw e;
        }
        server.remains().remove(place);
        place = copy.place;
    }

    /**
     * Copies bytes of another file of the server into this one.
     *
     * @param size of the other file
     * @param position of the first byte in this one
     * @param progress told positions in the other one
     */
    void copy(String from, ByteRange range, long size, long position, LongConsumer progress) {
        Duration limit = server.pool().config().limits().stall().multipliedBy(2);
        try (ServerSource source =
                ServerSource.open(path, from, size, server.pool(), server.pool().second(), List.of(range))) {
            for (long at = range.start(); at < range.end(); ) {
                ByteBuf bytes = Waiting.on(source.next(), limit, path.toString())
                        .orElseThrow(() -> new BackendException(Code.UNAVAILABLE, path + ": became shorter meanwhile"))
                        .bytes();
                int length = bytes.readableBytes();
                Waiting.on(write(position + at - range.start(), bytes), limit, path.toString());
                at += length;
                progress.accept(at);
            }
        }
    }

    /** Compares with a checksum that the whole must have. */
    void demand(long length, WriteRequest.Checksum checksum, LongConsumer progress) {
        server.checking().demand(lease.session(), path.toString(), place, length, checksum, progress);
    }

    /**
     * Gives it its name; told what it has become.
     *
     * @param old the file that it replaces
     */
    Entry place(long length, Optional<Entry> old) {
        if (isDirect()) {
            return WorkingName.kept(server, lease, path, length, old);
        }
        Session session = lease.session();
        Namespace.keepMode(session, place, old);
        try {
            server.names().replace(session, place, path);
            server.names().renaming().worked(place);
        } catch (BackendException e) {
            server.names().renaming().failed(e.code());
            if (session.isReady() || !isPlaced(length)) {
                throw e;
            }
        }
        WorkingName.end(server, path, place);
        return server.names().stat(lease.session(), path);
    }

    /** The session died before the answer: whether the file has its name is to be seen. */
    private boolean isPlaced(long length) {
        Session session = lease.session();
        return server.names().find(session, place, "", path.toString()).isEmpty()
                && server.names()
                        .find(session, path)
                        .filter(entry -> entry.length() == length)
                        .isPresent();
    }

    /** Returns whether the session lives, so that a failure is not the session's. */
    boolean isTalking() {
        return lease.isAlive();
    }

    /** Ends it and removes it. */
    void discard() {
        upload.cut();
        if (isDirect()) {
            WorkingName.remove(server, lease, path);
            return;
        }
        server.remains().remove(place);
        try {
            server.tidy(lease.session());
        } catch (BackendException e) {
            // there is no session to be had: later
            server.tidySoon();
        }
    }
}
