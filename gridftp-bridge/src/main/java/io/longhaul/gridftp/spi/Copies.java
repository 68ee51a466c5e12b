package io.longhaul.gridftp.spi;

import java.util.List;

/**
 * Where a file that is written goes besides.
 *
 * @param places at most a few dozen
 * @param isLocal whether it goes to the path of the request, too
 */
public record Copies(List<Copy> places, boolean isLocal) {
    /** Only where the request says. */
    public static final Copies NONE = new Copies(List.of(), true);

    /** Keeps a copy. */
    public Copies {
        places = List.copyOf(places);
    }

    public boolean isNone() {
        return places.isEmpty();
    }
}
