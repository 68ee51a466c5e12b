package io.longhaul.cli;

import io.longhaul.gridftp.mount.MountTable;
import io.longhaul.gridftp.remote.RemoteFiles;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.wire.Names;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What {@code --mount /PATH=ENDPOINT|URL} names: back ends of this process, which it owns, and endpoints. Thread-safe. */
final class BridgeMounts implements AutoCloseable {
    private static final String MOUNT = "--mount";
    private static final String FORM = "/PATH=ENDPOINT, /PATH=file:///DIR or /PATH=ftp://HOST/";

    private final List<Place> places;
    private final Instant since = Clock.systemUTC().instant();

    /**
     * A mount.
     *
     * @param backend for a URL
     * @param target as it was given
     */
    private record Place(FilePath path, Optional<Backend> backend, String target) {}

    /** Opens the URL of an option, which is to be seen at a path. */
    @FunctionalInterface
    interface Opener {
        Backend open(String option, String url, FilePath path);
    }

    private BridgeMounts(List<Place> places) {
        this.places = places;
    }

    /** Reads {@code --mount} options; throws {@link IllegalArgumentException} for bad ones, and for two at one path. */
    static Map<FilePath, String> parse(List<String> mounts) {
        Map<FilePath, String> parsed = new LinkedHashMap<>();
        BridgePath.pairs(MOUNT, FORM, mounts).forEach((path, target) -> {
            FilePath place = BridgePath.parse(MOUNT, FORM, path + "=" + target, path);
            if (parsed.put(place, target) != null) {
                throw new IllegalArgumentException(MOUNT + ": expected " + place + " once, found it twice");
            }
        });
        return parsed;
    }

    /**
     * Opens the back ends of URLs; throws {@link IllegalArgumentException} for what is neither a URL nor an endpoint.
     *
     * @param opener opens URLs
     */
    static BridgeMounts open(Map<FilePath, String> mounts, Opener opener) {
        List<Place> places = new ArrayList<>();
        BridgeMounts opened = new BridgeMounts(places);
        try {
            mounts.forEach((path, target) -> {
                Optional<Backend> backend =
                        ServerOptions.isUrl(target) ? Optional.of(opener.open(MOUNT, target, path)) : Optional.empty();
                places.add(new Place(path, backend, backend.isPresent() ? target : Names.endpoint(target)));
            });
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** Takes one that is open already. */
    void add(MountTable.Mount mount) {
        places.add(new Place(mount.path(), Optional.of(mount.backend()), ""));
    }

    /** Returns where they are. */
    List<String> paths() {
        return places.stream().map(place -> place.path().toString()).toList();
    }

    /** Returns the endpoints among them. */
    List<String> endpoints() {
        return places.stream()
                .filter(place -> place.backend().isEmpty())
                .map(Place::target)
                .toList();
    }

    /** Returns them for each user, where none is an endpoint. */
    Backends local() {
        MountTable table = table(place -> place.backend().orElseThrow());
        return user -> table;
    }

    /** Returns them for each user, with those behind the network. */
    Backends with(RemoteFiles remote) {
        return user -> table(place -> place.backend().orElseGet(() -> remote.of(place.target(), user)));
    }

    private MountTable table(Function<Place, Backend> backend) {
        return new MountTable(
                places.stream()
                        .map(place -> new MountTable.Mount(place.path(), backend.apply(place)))
                        .toList(),
                since);
    }

    @Override
    public void close() {
        places.forEach(place -> place.backend().ifPresent(Backend::close));
    }
}
