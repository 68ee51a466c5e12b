package io.longhaul.gridftp.fanout;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Copies;
import io.longhaul.gridftp.spi.Copy;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Files of a door that can be stored at other places at the same time: in the door's own files, and at servers. */
public final class FanOut implements Backends {
    /** A place that takes nothing, or is not heard of at its end, for as long is left behind, lest it stop the others. */
    private static final Patience PATIENCE = Patience.of(Duration.ofMinutes(2));

    private final Backends files;
    private final Map<String, FilePath> names;
    private final Servers servers;
    private final Patience patience;

    /** Servers that may be stored at. Thread-safe. */
    public interface Servers {
        /** Returns who writes at a server; empty for one that is none of these. Must not block. */
        Optional<Writer> of(Copy.Server server);
    }

    /** Writes files at one server. Thread-safe. */
    @FunctionalInterface
    public interface Writer {
        /** Begins to write, as {@link Backend#write}. */
        CompletableFuture<Sink> write(WriteRequest request);
    }

    /**
     * Takes the door's files.
     *
     * @param names other names ({@code host:port}, in lower case) of the door, and what of its files they mean
     */
    public FanOut(Backends files, Map<String, FilePath> names, Servers servers) {
        this(files, names, servers, PATIENCE);
    }

    FanOut(Backends files, Map<String, FilePath> names, Servers servers, Patience patience) {
        this.files = files;
        this.names = Map.copyOf(names);
        this.servers = servers;
        this.patience = patience;
    }

    @Override
    public Backend of(Principal user) {
        return files.of(user);
    }

    @Override
    public CompletableFuture<Sink> write(Backend own, WriteRequest request, Copies copies) {
        List<CompletableFuture<Leg>> opening = new ArrayList<>();
        if (copies.isLocal()) {
            opening.add(leg(request.path().toString(), () -> own.write(request)));
        }
        copies.places().forEach(copy -> opening.add(leg(copy.label(), () -> write(own, request, copy))));
        return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
                .thenCompose(done -> {
                    List<Leg> legs =
                            opening.stream().map(CompletableFuture::join).toList();
                    return opened(new FanOutSink(legs), legs, request.kind());
                });
    }

    private CompletableFuture<Leg> leg(String label, Supplier<CompletableFuture<Sink>> open) {
        CompletableFuture<Sink> opening;
        try {
            opening = open.get();
        } catch (RuntimeException e) {
            // thrown on, it would leave the sinks open that were opened before
            opening = CompletableFuture.failedFuture(e);
        }
        return opening.handle((sink, why) -> sink == null ? Leg.failed(label, why) : Leg.open(label, sink, patience));
    }

    private CompletableFuture<Sink> write(Backend own, WriteRequest request, Copy copy) {
        if (copy.server().isEmpty()) {
            return own.write(request.withPath(copy.path()));
        }
        Copy.Server server = copy.server().get();
        FilePath place = names.get(server.address().toLowerCase(Locale.ROOT));
        if (place != null) {
            return own.write(request.withPath(place.append(copy.path())));
        }
        return servers.of(server)
                .map(writer -> writer.write(request.withPath(copy.path())))
                .orElseGet(() -> CompletableFuture.failedFuture(new BackendException(
                        Code.DENIED, "Permission denied: this server does not store at " + server.address())));
    }

    /** Whoever goes on with a transfer must find the bytes at every place. */
    private static CompletableFuture<Sink> opened(FanOutSink sink, List<Leg> legs, Kind kind) {
        boolean goesOn = kind == Kind.RESUME || kind == Kind.RESTART;
        List<Leg> failed =
                legs.stream().filter(leg -> leg.failure().isPresent()).toList();
        if (failed.isEmpty() || !goesOn && failed.size() < legs.size()) {
            return CompletableFuture.completedFuture(sink);
        }
        CompletableFuture<Void> ended = goesOn ? sink.suspend() : sink.abort();
        return ended.thenCompose(done -> CompletableFuture.failedFuture(sink.failure()));
    }
}
