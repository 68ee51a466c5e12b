package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Listing;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.UnixListing;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.spi.Entry;
import java.time.Instant;
import java.util.Optional;

/** Finds out what something is by what works with it, where the server tells no facts. May wait. */
final class Probe {
    private static final int FILE_ACTION_OK = 250;
    private static final int STATUS = 213;

    private Probe() {}

    /**
     * Returns what is at a place, named as it is there.
     *
     * @param place the server's path
     * @param what names it in failures
     */
    static Optional<Entry> of(Session session, String place, String what, Instant now) {
        String name = name(place);
        if (session.call("CWD " + place).code() == FILE_ACTION_OK) {
            return Optional.of(new Entry(name, Entry.Type.DIRECTORY, 0, Instant.EPOCH, true, Optional.empty()));
        }
        Reply size = session.call("SIZE " + place);
        if (size.code() == STATUS && size.lines().get(0).strip().matches("[0-9]{1,18}")) {
            long length = Long.parseLong(size.lines().get(0).strip());
            return Optional.of(
                    new Entry(name, Entry.Type.FILE, length, modified(session, place), true, Optional.empty()));
        }
        return switch (Failures.code(size)) {
            case UNAVAILABLE -> throw Failures.of(what, size);
            case UNSUPPORTED -> listed(session, place, what, now);
            default -> Optional.empty();
        };
    }

    private static String name(String place) {
        return place.substring(place.lastIndexOf('/') + 1);
    }

    private static Instant modified(Session session, String place) {
        Reply time = session.call("MDTM " + place);
        String text = time.lines().get(0).strip();
        return time.code() == STATUS ? Timestamps.parseOrEpoch(text) : Instant.EPOCH;
    }

    /** Some servers tell lengths in listings only. */
    private static Optional<Entry> listed(Session session, String place, String what, Instant now) {
        int end = place.lastIndexOf('/');
        if (session.call("CWD " + (end == 0 ? "/" : place.substring(0, end))).code() != FILE_ACTION_OK) {
            return Optional.empty();
        }
        return Listing.lines(what, session, "LIST -a").stream()
                .flatMap(line -> UnixListing.parse(line, now).stream())
                .filter(entry -> entry.name().equals(name(place)))
                .findFirst();
    }
}
