package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.Optional;

/** Begins writes of every kind. May wait. */
final class Writing {
    /** As many as Linux follows: a server that tells what is behind a link has followed all of them itself. */
    private static final int MOST_LINKS = 40;

    private Writing() {}

    static Sink open(Server server, SessionPool.Lease lease, WriteRequest request) {
        if (server.remains().hasUnwanted()) {
            server.tidy(lease.session());
        }
        return open(server, lease, request, MOST_LINKS);
    }

    private static Sink open(Server server, SessionPool.Lease lease, WriteRequest request, int links) {
        Session session = lease.session();
        Optional<Entry> old = target(server, session, request.path());
        Optional<FilePath> behind = old.flatMap(entry -> behind(server.names(), session, request.path(), entry));
        if (behind.isPresent()) {
            if (links == 0) {
                throw new BackendException(Code.DENIED, request.path() + ": Too many levels of symbolic links");
            }
            return open(server, lease, request.withPath(behind.get()), links - 1);
        }
        return switch (request.kind()) {
            case REPLACE -> fresh(server, lease, request, old);
            case RESUME, RESTART -> goOn(server, lease, request, old);
            case OVERLAY, APPEND -> partial(server, lease, request, Optional.empty());
        };
    }

    /** Returns the file that is there, if there is one and something may be put into its place. */
    private static Optional<Entry> target(Server server, Session session, FilePath path) {
        if (path.isRoot()) {
            throw new BackendException(Code.IS_A_DIRECTORY, path + ": Is a directory");
        }
        Optional<Entry> found = server.names().find(session, path);
        if (found.filter(Entry::isDirectory).isPresent()) {
            throw new BackendException(Code.IS_A_DIRECTORY, path + ": Is a directory");
        }
        // where a file has been placed just now, what is wrong is looked for when there is something wrong
        if (found.isEmpty()
                && !server.names()
                        .renaming()
                        .hasWorkedBeside(server.names().places().of(path))) {
            checkDirectory(server, session, path);
        }
        return found;
    }

    private static void checkDirectory(Server server, Session session, FilePath path) {
        if (!server.names().stat(session, path.parent()).isDirectory()) {
            throw new BackendException(Code.NOT_A_DIRECTORY, path + ": Not a directory");
        }
    }

    /**
     * Returns what a link leads to, if the server says that it is the same file: a renamed file would take the place of the link
     * and not of that.
     */
    private static Optional<FilePath> behind(Namespace names, Session session, FilePath path, Entry entry) {
        return entry.unix()
                .flatMap(Entry.Unix::linkTarget)
                .flatMap(target -> names.places().pointed(path, target))
                .filter(target -> names.find(session, target)
                        .flatMap(Entry::unix)
                        .filter(unix -> unix.unique().equals(unique(entry)))
                        .isPresent());
    }

    private static String unique(Entry entry) {
        return entry.unix()
                .map(Entry.Unix::unique)
                .filter(text -> !text.isEmpty())
                .orElse("?");
    }

    private static Sink fresh(Server server, SessionPool.Lease lease, WriteRequest request, Optional<Entry> old) {
        // gone before the new one begins: there may be room for one of them only
        server.remains().forget(request.path());
        server.tidy(lease.session());
        try {
            TemporaryFile file = TemporaryFile.create(server, lease, request.path(), request.expectedBytes(), false);
            return new WholeSink(server, lease, request, old, file);
        } catch (BackendException e) {
            if (old.isEmpty() && lease.isAlive() && e.code() != Code.UNAVAILABLE) {
                checkDirectory(server, lease.session(), request.path());
            }
            throw e;
        }
    }

    private static Sink goOn(Server server, SessionPool.Lease lease, WriteRequest request, Optional<Entry> old) {
        Optional<Remains.Part> kept = server.remains().take(request.path(), request.present());
        if (kept.isPresent()) {
            if (request.present().isEmpty()) {
                server.remains().remove(kept.get().place());
                return fresh(server, lease, request, old);
            }
            try {
                TemporaryFile file = TemporaryFile.reopen(server, lease, request.path(), kept.get(), request.present());
                return new WholeSink(server, lease, request, old, file);
            } catch (BackendException e) {
                if (e.code() == Code.UNAVAILABLE) {
                    server.keep(request.path(), kept.get());
                } else {
                    server.remains().remove(kept.get().place());
                }
                throw e;
            }
        }
        if (request.kind() == Kind.RESUME && request.present().isEmpty()) {
            return fresh(server, lease, request, old);
        }
        long end = ByteRanges.of(request.present()).end();
        boolean isThere = old.map(Remains.Version::of)
                .filter(version -> request.kind() == Kind.RESTART
                        && version.length() >= end
                        && !server.remains().doubts().concern(request.path(), version, end))
                .isPresent();
        if (!isThere) {
            throw new BackendException(Code.BAD_RANGE, request.path() + ": the bytes before the restart are not here");
        }
        return partial(server, lease, request, old);
    }

    /**
     * Begins a write that leaves some of the file's bytes as they are.
     *
     * @param old the file that the sender takes for granted
     */
    private static Sink partial(Server server, SessionPool.Lease lease, WriteRequest request, Optional<Entry> old) {
        TemporaryFile news = TemporaryFile.create(server, lease, request.path(), request.expectedBytes(), true);
        return new PartialSink(server, lease, request, old, news);
    }
}
