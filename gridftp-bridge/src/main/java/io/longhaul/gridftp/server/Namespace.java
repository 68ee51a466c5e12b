package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Listing;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.UnixListing;
import io.longhaul.gridftp.protocol.FactLine;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Files and directories of the server. May wait. Where the server says only that something did not work, it is looked at
 * again to find out why.
 */
final class Namespace {
    /** What links have, whoever may read what they point to. */
    private static final int LINK_MODE = 0777;

    private static final int DELETE = 0x7f;

    private final Places places;
    private final Aside aside;
    private final Renaming renaming;
    private final Clock clock;

    Namespace(Places places, Clock clock) {
        this.places = places;
        this.aside = new Aside(places, (session, path) -> look(session, path).isPresent());
        this.renaming = new Renaming();
        this.clock = clock;
    }

    private Namespace(Places places, Aside aside, Renaming renaming, Clock clock) {
        this.places = places;
        this.aside = aside;
        this.renaming = renaming;
        this.clock = clock;
    }

    /** Returns that of another user of the same server, who sees the same files aside. */
    Namespace ofAnotherLogin() {
        return new Namespace(places.ofAnotherLogin(), aside, renaming.ofAnotherLogin(), clock);
    }

    Places places() {
        return places;
    }

    Renaming renaming() {
        return renaming;
    }

    /** Looks at something that must be there. */
    Entry stat(Session session, FilePath path) {
        return find(session, path).orElseThrow(() -> missing(path));
    }

    private static BackendException missing(FilePath path) {
        return new BackendException(Code.NOT_FOUND, path + ": No such file or directory");
    }

    /** Looks at something that may be there, or that is or was left aside. */
    Optional<Entry> find(Session session, FilePath path) {
        long before = aside.moved();
        Optional<Entry> found = look(session, path);
        Optional<String> inUse = aside.inUse(path);
        if (found.isEmpty() && inUse.isPresent()) {
            found = find(session, inUse.get(), path.name(), path.toString());
        }
        // somebody may have put it there, or another one in its place, since it was looked at
        boolean mayBeBack =
                found.isEmpty() && (inUse.isPresent() || aside.putBack(session, path) || aside.moved() != before);
        return mayBeBack ? look(session, path) : found;
    }

    private Optional<Entry> look(Session session, FilePath path) {
        return find(session, places.of(path), path.name(), path.toString());
    }

    /**
     * Looks at something that may be there.
     *
     * @param place the server's path
     * @param what names it in failures
     */
    Optional<Entry> find(Session session, String place, String name, String what) {
        if (!session.features().hasFacts()) {
            return probe(session, place, name, what);
        }
        Reply reply = session.call("MLST " + place);
        if (!reply.isPositive()) {
            Code code = Failures.code(reply);
            if (code == Code.NOT_FOUND || code == Code.NOT_A_DIRECTORY) {
                return Optional.empty();
            }
            if (code == Code.UNSUPPORTED || Failures.isVague(reply)) {
                return probe(session, place, name, what);
            }
            throw Failures.of(what, reply);
        }
        try {
            List<String> lines = reply.lines();
            FactLine line =
                    FactLine.parse(lines.get(Math.min(1, lines.size() - 1)).stripLeading());
            checkName(place, line.name(), what);
            return Listing.kind(line) == Listing.Kind.LINK
                    ? probe(session, place, name, what).map(found -> asLink(found, Listing.entry(line, name)))
                    : Optional.of(Listing.entry(line, name));
        } catch (ProtocolException e) {
            throw new BackendException(Code.FAILED, what + ": " + e.getMessage() + ": " + Failures.text(reply), e);
        }
    }

    private Optional<Entry> probe(Session session, String place, String name, String what) {
        return Probe.of(session, place, what, clock.instant()).map(found -> found.withName(name));
    }

    /** There are servers that leave out what is not ASCII, or cannot be printed: such a name would be another file's. */
    private static void checkName(String asked, String told, String what) {
        String expected = told.startsWith("/") ? asked : asked.substring(asked.lastIndexOf('/') + 1);
        if (!isPrintable(asked) && !told.equals(expected)) {
            throw new BackendException(
                    Code.BAD_NAME, what + ": File name not allowed: the server makes '" + told + "' of it");
        }
    }

    /** Returns whether a name has nothing in it that a server might leave out. */
    static boolean isPrintable(String name) {
        return name.chars().allMatch(character -> character < DELETE);
    }

    /** Throws when the server takes a name for another one, as far as that can be seen of what is there. */
    void check(Session session, String place, String what) {
        if (!isPrintable(place) && session.features().hasFacts()) {
            find(session, place, "", what);
        }
    }

    private void check(Session session, FilePath path) {
        check(session, places.of(path), path.toString());
    }

    /** Looks at a directory, but not at files that are not whole; those that nobody goes on with are removed. */
    Directory list(Session session, FilePath path) {
        Entry directory = stat(session, path);
        if (!directory.isDirectory()) {
            throw new BackendException(Code.NOT_A_DIRECTORY, path + ": Not a directory");
        }
        List<Entry> visible = new ArrayList<>();
        List<Entry> hidden = new ArrayList<>();
        for (Entry entry : everything(session, path)) {
            (Places.isTemporary(entry.name()) ? hidden : visible).add(entry);
        }
        for (Entry entry : hidden) {
            Optional<String> name = places.putAside(entry.name());
            if (name.isPresent()) {
                returned(session, path.child(name.get()), entry, visible).ifPresent(visible::add);
            } else if (places.isLeft(places.in(path, entry.name()))) {
                session.call("DELE " + places.in(path, entry.name()));
            }
        }
        return new Directory(directory, visible);
    }

    /** Returns a file that was put aside, if nothing else has its name. */
    private Optional<Entry> returned(Session session, FilePath path, Entry entry, List<Entry> others) {
        if (others.stream().anyMatch(other -> other.name().equals(path.name()))) {
            aside.remove(session, path);
            return Optional.empty();
        }
        return aside.putBack(session, path) ? Optional.of(entry.withName(path.name())) : Optional.empty();
    }

    private List<Entry> everything(Session session, FilePath path) {
        String place = places.of(path);
        return session.features().hasFacts() ? facts(session, path, place) : unix(session, path, place);
    }

    private List<Entry> facts(Session session, FilePath path, String place) {
        List<FactLine> lines;
        try {
            lines = Listing.facts(Listing.lines(path.toString(), session, "MLSD " + place));
        } catch (ProtocolException e) {
            throw new BackendException(Code.FAILED, path + ": listing: " + e.getMessage(), e);
        }
        List<Entry> entries = new ArrayList<>();
        for (FactLine line : lines) {
            Listing.Kind kind = Listing.kind(line);
            if (kind != Listing.Kind.SELF && isName(line.name())) {
                Entry entry = Listing.entry(line, line.name());
                entries.add(kind == Listing.Kind.LINK ? followed(session, path, entry) : entry);
            }
        }
        return entries;
    }

    private List<Entry> unix(Session session, FilePath path, String place) {
        // patterns in a name would be taken for such in an argument
        session.expect(path.toString(), "CWD " + place);
        List<Entry> entries = new ArrayList<>();
        for (String line : Listing.lines(path.toString(), session, "LIST -a")) {
            UnixListing.parse(line, clock.instant())
                    .filter(entry -> isName(entry.name()))
                    .map(entry -> entry.type() == Entry.Type.OTHER ? followed(session, path, entry) : entry)
                    .ifPresent(entries::add);
        }
        return entries;
    }

    private Entry followed(Session session, FilePath path, Entry link) {
        // of what cannot be named nothing more is known, which is no reason to list nothing
        return Optional.of(link.name())
                .filter(name -> name.chars().noneMatch(Character::isISOControl))
                .flatMap(name -> probe(session, places.in(path, name), name, path.toString()))
                .map(found -> asLink(found, link))
                .orElse(link);
    }

    /** Whoever removes a tree must see that what a link points to is no part of it. */
    private static Entry asLink(Entry found, Entry link) {
        return new Entry(found.name(), found.type(), found.length(), found.modified(), found.writable(), link.unix());
    }

    private static boolean isName(String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0;
    }

    void makeDirectory(Session session, FilePath path) {
        Reply reply = session.call("MKD " + places.of(path));
        if (!reply.isPositive()) {
            throw why(session, reply, path, Wanted.NOTHING);
        }
        try {
            check(session, path);
        } catch (BackendException e) {
            session.call("RMD " + places.of(path));
            throw e;
        }
    }

    void removeDirectory(Session session, FilePath path) {
        check(session, path);
        Removal.remove(this, session, path);
    }

    /** Returns what was said with what was seen for its reason. */
    static BackendException seen(Code code, BackendException said) {
        return new BackendException(code, String.valueOf(said.getMessage()), said);
    }

    /** Leaves nothing aside that would come back when a name becomes free. */
    private void settle(Session session, FilePath path) {
        if (aside.mayBeLeft(session, path) && find(session, path).isPresent()) {
            aside.remove(session, path);
        }
    }

    void deleteFile(Session session, FilePath path) {
        check(session, path);
        settle(session, path);
        Reply reply = session.call("DELE " + places.of(path));
        if (!reply.isPositive()) {
            throw why(session, reply, path, Wanted.FILE);
        }
    }

    void rename(Session session, FilePath from, FilePath to) {
        Entry moved = stat(session, from);
        if (from.equals(to)) {
            // it is there, as POSIX wants it; to put it aside for itself would leave nothing to give its name to
            return;
        }
        settle(session, from);
        Optional<Entry> there = find(session, to);
        boolean isOntoDirectory = there.filter(Entry::isDirectory).isPresent();
        if (isOntoDirectory && !moved.isDirectory()) {
            throw new BackendException(Code.IS_A_DIRECTORY, to + ": Is a directory");
        }
        if (moved.isDirectory() && there.isPresent() && !isOntoDirectory) {
            // putting the file aside for it would lose the file
            throw new BackendException(Code.NOT_A_DIRECTORY, to + ": Not a directory");
        }
        try {
            replace(session, places.of(from), to);
        } catch (BackendException e) {
            throw isOntoDirectory && e.code() == Code.EXISTS && isFull(session, to) ? seen(Code.NOT_EMPTY, e) : e;
        }
        places.renamed(from, to);
        try {
            check(session, to);
        } catch (BackendException e) {
            Aside.renamed(session, places.of(to), places.of(from), from);
            throw e;
        }
    }

    /** Returns whether there is something in a directory, as far as that can be seen. */
    private boolean isFull(Session session, FilePath path) {
        try {
            return session.isReady() && !list(session, path).entries().isEmpty();
        } catch (BackendException e) {
            return false;
        }
    }

    /** Gives a file a user's name at once, in place of a file that has it. */
    void replace(Session session, String from, FilePath to) {
        Reply reply = Aside.renamed(session, from, places.of(to), to);
        if (reply.isPositive()) {
            return;
        }
        Code code = Failures.code(reply);
        boolean mayBeThere = code == Code.EXISTS || code == Code.DENIED || code == Code.FAILED;
        if (mayBeThere
                && find(session, to).filter(entry -> !entry.isDirectory()).isPresent()) {
            aside.replace(session, from, to, Failures.of(to.toString(), reply));
            return;
        }
        throw why(session, reply, to, Wanted.NOTHING);
    }

    void setModified(Session session, FilePath path, Instant time) {
        check(session, path);
        String stamp = Timestamps.format(time);
        String place = places.of(path);
        Reply reply = session.call("MFMT " + stamp + " " + place);
        if (!reply.isPositive() && Failures.code(reply) == Code.UNSUPPORTED || reply.code() == 500) {
            reply = session.call("MDTM " + stamp + " " + place);
        }
        if (!reply.isPositive()) {
            throw why(session, reply, path, Wanted.ANYTHING);
        }
    }

    void setMode(Session session, FilePath path, int mode) {
        check(session, path);
        Reply reply = session.call(mode(mode, places.of(path)));
        if (!reply.isPositive()) {
            throw why(session, reply, path, Wanted.ANYTHING);
        }
    }

    /** Gives a file the mode of another, where the server can: a replaced file keeps who may do what. */
    static void keepMode(Session session, String place, Optional<Entry> old) {
        old.flatMap(Entry::unix)
                .filter(unix -> unix.linkTarget().isEmpty() || unix.mode() != LINK_MODE)
                .ifPresent(unix -> session.call(mode(unix.mode(), place)));
    }

    private static String mode(int mode, String place) {
        return "SITE CHMOD " + Integer.toOctalString(mode) + " " + place;
    }

    /** What must be at a path so that a command can work. */
    enum Wanted {
        NOTHING,
        FILE,
        DIRECTORY,
        ANYTHING
    }

    /** Returns why a command did not work, as far as one can see. */
    BackendException why(Session session, Reply reply, FilePath path, Wanted wanted) {
        BackendException said = Failures.of(path.toString(), reply);
        Code code = said.code();
        boolean isClear = !Failures.isVague(reply) && code != Code.DENIED && code != Code.FAILED;
        if (isClear || !session.isReady()) {
            return said;
        }
        Optional<Entry> found = find(session, path);
        Code seen = code;
        if (found.isEmpty()) {
            boolean isLost = wanted != Wanted.NOTHING
                    || !path.isRoot() && find(session, path.parent()).isEmpty();
            seen = isLost ? Code.NOT_FOUND : code;
        } else if (wanted == Wanted.NOTHING) {
            seen = Code.EXISTS;
        } else if (wanted == Wanted.FILE && found.get().isDirectory()) {
            seen = Code.IS_A_DIRECTORY;
        } else if (wanted == Wanted.DIRECTORY && !found.get().isDirectory()) {
            seen = Code.NOT_A_DIRECTORY;
        }
        return seen == code ? said : seen(seen, said);
    }
}
