package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a file is called at the server until it is whole: a temporary name, and its own where nobody may rename. May wait. */
final class WorkingName {
    private static final Logger LOG = LoggerFactory.getLogger(WorkingName.class);

    /** The first may find that the session has ended. */
    private static final int LOOKS = 2;

    private WorkingName() {}

    /**
     * Returns the server's path for a file that is to be written, which nobody else uses until the end.
     *
     * @param isPart whether the file is put together from several
     */
    static String begin(Server server, Session session, FilePath path, boolean isPart) {
        Places places = server.names().places();
        Optional<String> temporary = allowed(server, session, places.temporary(path));
        if (temporary.isEmpty()) {
            // which may have been said of the dot
            temporary = allowed(server, session, places.bare(path));
        }
        if (temporary.isPresent()) {
            return temporary.get();
        }
        if (isPart) {
            throw new BackendException(
                    Code.UNSUPPORTED, path + ": only whole files can be stored where no file can be renamed");
        }
        return own(server, path);
    }

    private static Optional<String> allowed(Server server, Session session, String temporary) {
        boolean isAllowed = false;
        try {
            isAllowed = !server.names().renaming().isRefused(session, temporary);
            return isAllowed ? Optional.of(temporary) : Optional.empty();
        } finally {
            if (!isAllowed) {
                server.names().places().done(temporary);
            }
        }
    }

    private static String own(Server server, FilePath path) {
        String place = server.names().places().of(path);
        server.names().renaming().begin(path, place);
        return place;
    }

    /**
     * Returns what else a file may be called that the server takes under no name like this one, if anything: a name without
     * a dot before it, and its own where no other file has that, which would not be there any more when this one comes to nothing.
     */
    static Optional<String> instead(Server server, Session session, FilePath path, String refused, boolean isPart) {
        if (isOwn(server, path, refused)) {
            return Optional.empty();
        }
        if (refused.startsWith(".", refused.lastIndexOf('/') + 1)) {
            return Optional.of(server.names().places().bare(path));
        }
        return isPart || server.names().find(session, path).isPresent()
                ? Optional.empty()
                : Optional.of(own(server, path));
    }

    static boolean isOwn(Server server, FilePath path, String place) {
        return place.equals(server.names().places().of(path));
    }

    /** Nobody uses the place any more. */
    static void end(Server server, FilePath path, String place) {
        if (isOwn(server, path, place)) {
            server.names().renaming().end(place);
        } else {
            server.names().places().done(place);
        }
    }

    /**
     * Ends what has its own name already, and is whole; returns what it has become. It is well even if it cannot be looked at: a
     * failure would have it removed, or sent again to a server that writes over nothing.
     */
    static Entry kept(Server server, SessionPool.Lease lease, FilePath path, long length, Optional<Entry> old) {
        String place = server.names().places().of(path);
        try {
            for (int i = 0; i < LOOKS; i++) {
                try {
                    Session session = lease.session();
                    Namespace.keepMode(session, place, old);
                    return server.names().stat(session, path);
                } catch (BackendException e) {
                    LOG.warn("{}: stored, but cannot be looked at: {}", path, e.getMessage());
                }
            }
            return new Entry(path.name(), Entry.Type.FILE, length, Instant.now(), true, Optional.empty());
        } finally {
            server.names().renaming().end(place);
        }
    }

    /** Removes what has its own name already, now or not at all: later it might be another's. */
    static void remove(Server server, SessionPool.Lease lease, FilePath path) {
        String place = server.names().places().of(path);
        try {
            Reply reply = lease.session().call("DELE " + place);
            if (!reply.isPositive()) {
                LOG.warn("{}: a part of it stays, since it cannot be removed: {}", path, Failures.text(reply));
            }
        } catch (BackendException e) {
            LOG.warn("{}: a part of it stays, since it cannot be removed: {}", path, e.getMessage());
        } finally {
            server.names().renaming().end(place);
        }
    }
}
