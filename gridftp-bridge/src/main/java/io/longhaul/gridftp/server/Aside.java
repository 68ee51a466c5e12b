package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;

/**
 * Old files that are aside while others get their names, on servers that put nothing in the place of a file. Their names
 * are known beforehand, so that whoever comes to the name next puts back what was left there when a session or a process
 * ended in between. Thread-safe; may wait.
 */
final class Aside {
    private static final int MORE = 350;

    private final Places places;
    private final BiPredicate<Session, FilePath> isThere;
    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final AtomicLong moved = new AtomicLong();

    /**
     * Takes names.
     *
     * @param isThere looks whether something has a name, and at nothing that is aside
     */
    Aside(Places places, BiPredicate<Session, FilePath> isThere) {
        this.places = places;
        this.isThere = isThere;
    }

    /** Returns a number that is another one when a file has got its name since. */
    long moved() {
        return moved.get();
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
            // it is not the server that cannot have it
            throw BackendException.away(to + ": is being replaced or put back by somebody else", null);
        }
        try {
            // if not, what is aside is the only one: of a replacement that ended since it was looked at
            if (isThere.test(session, to)) {
                // of a replacement that ended when the new file had its name already
                session.call("DELE " + aside);
                Reply reply = renamed(session, places.of(to), aside, to);
                if (!reply.isPositive()) {
                    throw Failures.of(to.toString(), reply);
                }
            }
            place(session, from, to);
            session.call("DELE " + aside);
        } finally {
            // before it is in use no more: who looks meanwhile sees one of the two
            moved.incrementAndGet();
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

    /** Puts back what was left aside of a name that nothing has; returns whether something may have the name now. */
    boolean putBack(Session session, FilePath path) {
        Optional<String> aside = places.aside(path);
        if (aside.isEmpty()) {
            return false;
        }
        if (!busy.add(aside.get())) {
            // somebody else is about to
            return true;
        }
        try {
            boolean isBack = restore(session, path);
            moved.addAndGet(isBack ? 1 : 0);
            return isBack;
        } finally {
            busy.remove(aside.get());
        }
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

    /** Removes what was left aside of a name, if something has the name. */
    void remove(Session session, FilePath path) {
        Optional<String> aside = places.aside(path);
        if (aside.isEmpty() || !busy.add(aside.get())) {
            return;
        }
        try {
            // whoever asks has looked before: since then it may have been put aside and nothing in its place
            if (isThere.test(session, path)) {
                session.call("DELE " + aside.get());
            }
        } finally {
            busy.remove(aside.get());
        }
    }
}
