package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether a login may give files other names. Who may only add files to a server, as strangers may to a drop box, writes
 * them under their own names, one at a time. Thread-safe; may wait.
 */
final class Renaming {
    private final Set<String> direct; // what is being written under its own name, by whoever has logged in
    private volatile String works = ""; // the directory where a file got another name last

    Renaming() {
        this(ConcurrentHashMap.newKeySet());
    }

    private Renaming(Set<String> direct) {
        this.direct = direct;
    }

    /** Returns that of another login. */
    Renaming ofAnotherLogin() {
        return new Renaming(direct);
    }

    /** A file has got another name in its directory: nobody needs to ask there. */
    void worked(String place) {
        works = directory(place);
    }

    /** A file has got no other name: who may not rename here may have been let elsewhere, or before. */
    void failed(Code code) {
        if (code == Code.DENIED || code == Code.UNSUPPORTED) {
            works = "";
        }
    }

    /** Returns whether a file has got another name in the directory of this one last, so that it is there. */
    boolean hasWorkedBeside(String place) {
        return works.equals(directory(place));
    }

    private static String directory(String place) {
        return place.substring(0, place.lastIndexOf('/') + 1);
    }

    /**
     * Returns whether the server lets nobody give a file another name, as it says of one that is not there.
     *
     * @param unused a path that nothing has
     */
    boolean isRefused(Session session, String unused) {
        if (hasWorkedBeside(unused)) {
            return false;
        }
        Reply reply = session.call("RNFR " + unused);
        Code code = Failures.code(reply);
        return !reply.isPositive() && (code == Code.UNSUPPORTED || code == Code.DENIED && !Failures.isVague(reply));
    }

    /** A file is written under its own name from now on; throws when one is already. */
    void begin(FilePath path, String place) {
        if (!direct.add(place)) {
            // counted as an answer: who has it may wait for the one that asks
            throw new BackendException(Code.UNAVAILABLE, path + ": is being written by somebody else");
        }
    }

    void end(String place) {
        direct.remove(place);
    }
}
