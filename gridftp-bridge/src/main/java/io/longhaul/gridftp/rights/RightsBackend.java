package io.longhaul.gridftp.rights;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.rights.Rights.Right;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * A back end within a user's rights. What the user has no right to is refused without a look at it, so that the answer does
 * not tell whether it is there. A link counts as the place that it leads to, where the back end can say so. Thread-safe.
 */
final class RightsBackend implements Backend {
    private final Rights rights;
    private final Backend backend;

    RightsBackend(Rights rights, Backend backend) {
        this.rights = rights;
        this.backend = backend;
    }

    private static <T> CompletableFuture<T> denied(FilePath path) {
        return CompletableFuture.failedFuture(
                new BackendException(BackendException.Code.DENIED, path + ": Permission denied"));
    }

    /** Makes a call that follows links if the user has the right to a path, and to the place that it leads to. */
    private <T> CompletableFuture<T> followed(
            Predicate<FilePath> right, FilePath path, Function<FilePath, CompletableFuture<T>> call) {
        return right.test(path) ? within(right, path, place(path), call) : denied(path);
    }

    /** Makes a call on a name, which is not followed itself. */
    private <T> CompletableFuture<T> named(
            Predicate<FilePath> right, FilePath path, Function<FilePath, CompletableFuture<T>> call) {
        if (!right.test(path) || path.isRoot()) {
            return denied(path);
        }
        return within(
                right,
                path,
                place(path.parent()).thenApply(parent -> parent.map(real -> real.child(path.name()))),
                call);
    }

    private static <T> CompletableFuture<T> within(
            Predicate<FilePath> right,
            FilePath path,
            CompletableFuture<Optional<FilePath>> real,
            Function<FilePath, CompletableFuture<T>> call) {
        return real.thenCompose(
                found -> found.filter(right).isPresent() ? call.apply(found.get()) : RightsBackend.<T>denied(path));
    }

    /** Returns the place that a path leads to, as the user sees it; none outside of the user's root. */
    private CompletableFuture<Optional<FilePath>> place(FilePath path) {
        return backend.real(rights.root())
                .thenCombine(
                        backend.real(rights.behind(path)),
                        (root, real) -> real.startsWith(root) ? Optional.of(real.below(root)) : Optional.empty());
    }

    private boolean mayRead(FilePath path) {
        return rights.allows(Right.READ, path);
    }

    private boolean mayWrite(FilePath path) {
        return rights.allows(Right.WRITE, path);
    }

    private boolean maySee(FilePath path) {
        return mayRead(path) || rights.leads(path);
    }

    private Entry seen(Entry entry, FilePath path) {
        return mayWrite(path)
                ? entry
                : new Entry(entry.name(), entry.type(), entry.length(), entry.modified(), false, entry.unix());
    }

    @Override
    public CompletableFuture<FilePath> real(FilePath path) {
        return followed(this::maySee, path, CompletableFuture::completedFuture);
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        return followed(
                this::maySee,
                path,
                real -> backend.stat(rights.behind(path)).thenApply(entry -> seen(entry.withName(path.name()), real)));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return followed(
                this::maySee,
                path,
                real -> backend.list(rights.behind(path)).thenCompose(entries -> visible(entries, path, real)));
    }

    /** Returns the entries of a directory that the user may see; links are looked at one by one. */
    private CompletableFuture<List<Entry>> visible(List<Entry> entries, FilePath path, FilePath real) {
        CompletableFuture<List<Entry>> visible = CompletableFuture.completedFuture(new ArrayList<>());
        for (Entry entry : entries) {
            if (maySee(path.child(entry.name())) && maySee(real.child(entry.name()))) {
                boolean isLink = entry.unix().flatMap(Entry.Unix::linkTarget).isPresent();
                CompletableFuture<Optional<FilePath>> place = isLink
                        ? place(path.child(entry.name())).exceptionally(gone -> Optional.empty())
                        : CompletableFuture.completedFuture(Optional.of(real.child(entry.name())));
                visible = visible.thenCombine(place, (before, found) -> {
                    found.filter(this::maySee).ifPresent(there -> before.add(seen(entry, there)));
                    return before;
                });
            }
        }
        return visible;
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return named(this::mayWrite, path, real -> backend.makeDirectory(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return named(this::mayWrite, path, real -> backend.removeDirectory(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return named(this::mayWrite, path, real -> backend.deleteFile(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        Predicate<FilePath> mayMove = path -> rights.allowsMoving(path) && !path.isRoot();
        if (mayMove.test(from) && !mayMove.test(to)) {
            return denied(to);
        }
        return named(
                mayMove,
                from,
                source -> named(
                        mayMove,
                        to,
                        target -> staysTheSame(from, to)
                                .thenCompose(same -> backend.rename(rights.behind(from), rights.behind(to)))));
    }

    /** A link that says {@code ..} would lead elsewhere from another directory: out of all that its user has a right to. */
    private CompletableFuture<Void> staysTheSame(FilePath from, FilePath to) {
        if (from.parent().equals(to.parent())) {
            return CompletableFuture.completedFuture(null);
        }
        return LinkSearch.in(backend, rights.behind(from)).thenAccept(link -> {
            if (link.isPresent()) {
                String where = from.toString()
                        + link.get()
                                .toString()
                                .substring(rights.behind(from).toString().length());
                throw new BackendException(
                        BackendException.Code.DENIED,
                        where + ": Permission denied: it is a link, which would lead elsewhere from another directory");
            }
        });
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return followed(this::mayWrite, path, real -> backend.setModified(rights.behind(path), time));
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return followed(this::mayWrite, path, real -> backend.setMode(rights.behind(path), mode));
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        return followed(this::mayRead, path, real -> backend.checksum(rights.behind(path), algorithm, range, progress));
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return followed(this::mayRead, path, real -> backend.read(rights.behind(path), ranges));
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        FilePath path = request.path();
        return followed(this::mayWrite, path, real -> backend.write(request.withPath(rights.behind(path))));
    }

    @Override
    public void close() {
        // not its own
    }
}
