package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.protocol.PathText;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Removes directories, and finds out why one could not be removed where the server does not say. May wait. */
final class Removal {
    private static final int FILE_ACTION_OK = 250;
    private static final int PATH = 257;
    private static final Set<Code> PERHAPS_NOT_EMPTY = EnumSet.of(Code.DENIED, Code.FAILED, Code.NOT_EMPTY);

    private Removal() {}

    static void remove(Namespace names, Session session, FilePath path) {
        String place = names.places().of(path);
        Reply reply = session.call("RMD " + place);
        if (reply.isPositive()) {
            return;
        }
        BackendException why = names.why(session, reply, path, Namespace.Wanted.DIRECTORY);
        if (!PERHAPS_NOT_EMPTY.contains(why.code())
                || names.find(session, path).filter(Entry::isDirectory).isEmpty()) {
            throw why;
        }
        if (names.list(session, path).entries().isEmpty()) {
            // listing it removed what was left in it
            session.expect(path.toString(), "RMD " + place);
            return;
        }
        boolean isUntold = Failures.isVague(reply) || why.code() == Code.FAILED;
        throw isUntold && isNoLink(names.places(), session, path) ? Namespace.seen(Code.NOT_EMPTY, why) : why;
    }

    /**
     * Returns whether a directory surely is one: a link to one cannot be removed like a directory either, and whoever empties what is
     * not empty must not empty what it points to. Who goes through a link is elsewhere then.
     */
    private static boolean isNoLink(Places places, Session session, FilePath path) {
        Optional<String> expected = reached(session, places.of(path.parent()))
                .map(parent -> parent.endsWith("/") ? parent + path.name() : parent + "/" + path.name());
        return expected.isPresent() && expected.equals(reached(session, places.of(path)));
    }

    /** Returns where one is who goes to a place, if the server says so. */
    private static Optional<String> reached(Session session, String place) {
        if (session.call("CWD " + place).code() != FILE_ACTION_OK) {
            return Optional.empty();
        }
        Reply reply = session.call("PWD");
        try {
            return reply.code() == PATH
                    ? Optional.of(PathText.unquoted(reply.lines().get(0)))
                    : Optional.empty();
        } catch (ProtocolException e) {
            return Optional.empty();
        }
    }
}
