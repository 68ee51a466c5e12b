package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Old files that are aside while others get their names, on servers that put nothing in the place of a file. Their names
 * are known beforehand, so that whoever comes to the name next puts back what was left there when a session or a process
 * ended in between. Thread-safe; may wait.
 */
final class Aside {
    private static final int MORE = 350;

    private final Places places;
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    Aside(Places places) {
        this.places = places;
    }

    /** Renames; returns the server's last word, the first one having been good. */
    static Reply renamed(Session session, String from, String to, FilePath what) {
        Reply reply = session.call("RNFR " + from);
        if (reply.code() != MORE) {
            throw Failures.of(what + ": rename", reply);
        }
        return session.call("RNTO " + to);
    }

    /**
     * Gives a file the name of one that is there. For a moment there is none of that name.
     *
     * @param refused why that cannot be done at once
     */
    void replace(Session session, String from, FilePath to, BackendException refused) {
        String aside = places.aside(to).orElseThrow(() -> refused);
        if (!busy.add(aside)) {
            throw new BackendException(Code.UNAVAILABLE, to + ": is being replaced by somebody else");
        }
        try {
            // of a replacement that ended when the new file had its name already
            session.call("DELE " + aside);
            Reply moved = renamed(session, places.of(to), aside, to);
            if (!moved.isPositive()) {
                throw Failures.of(to.toString(), moved);
            }
            place(session, from, to);
            session.call("DELE " + aside);
        } finally {
            busy.remove(aside);
        }
    }

    private void place(Session session, String from, FilePath to) {
        try {
            Reply placed = renamed(session, from, places.of(to), to);
            if (!placed.isPositive()) {
                throw Failures.of(to.toString(), placed);
            }
        } catch (BackendException e) {
            if (session.isReady()) {
                restore(session, to);
            }
            throw e;
        }
    }

    /** Returns where the file of a name is while somebody gives its name to another one. */
    Optional<String> inUse(FilePath path) {
        return places.aside(path).filter(busy::contains);
    }

    /** Puts back what was left aside of a name that nothing has; returns whether there was anything. */
    boolean putBack(Session session, FilePath path) {
        return inUse(path).isEmpty() && restore(session, path);
    }

    private boolean restore(Session session, FilePath path) {
        Optional<String> aside = places.aside(path);
        // some take any name and look when they are told the other one
        return aside.isPresent()
                && session.call("RNFR " + aside.get()).code() == MORE
                && session.call("RNTO " + places.of(path)).isPositive();
    }

    /** Returns whether something may have been left aside of a name. */
    boolean mayBeLeft(Session session, FilePath path) {
        return inUse(path).isEmpty()
                && places.aside(path)
                        .filter(aside -> session.call("RNFR " + aside).code() == MORE)
                        .isPresent();
    }

    /** Removes what was left aside of a name that something has. */
    void remove(Session session, FilePath path) {
        if (inUse(path).isEmpty()) {
            places.aside(path).ifPresent(aside -> session.call("DELE " + aside));
        }
    }
}
