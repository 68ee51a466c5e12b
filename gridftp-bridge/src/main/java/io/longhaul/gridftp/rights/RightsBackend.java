package io.longhaul.gridftp.rights;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.rights.Rights.Rule;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.PathWords;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * A back end within a user's rights. What the user has no right to is refused without a look at it, so that the answer does
 * not tell whether it is there. A link counts as the place that it leads to, where the back end can say so. Thread-safe.
 */
final class RightsBackend implements Backend {
    private final Rights rights;
    private final Backend backend;
    private final PathWords words;

    RightsBackend(Rights rights, Backend backend) {
        this.rights = rights;
        this.backend = backend;
        this.words = PathWords.below(rights.root());
    }

    private static <T> CompletableFuture<T> denied(FilePath path) {
        return CompletableFuture.failedFuture(
                new BackendException(BackendException.Code.DENIED, path + ": Permission denied"));
    }

    /** Makes a call that follows links if the user has the right to a path, and to the place that it leads to. */
    private <T> CompletableFuture<T> followed(
            BiPredicate<Rights, FilePath> right, FilePath path, Function<FilePath, CompletableFuture<T>> call) {
        return right.test(rights, path) ? within(right, path, place(path), call) : denied(path);
    }

    /** Makes a call on a name, which is not followed itself. */
    private <T> CompletableFuture<T> named(
            BiPredicate<Rights, FilePath> right, FilePath path, Function<FilePath, CompletableFuture<T>> call) {
        if (!right.test(rights, path) || path.isRoot()) {
            return denied(path);
        }
        return within(
                right,
                path,
                place(path.parent()).thenApply(parent -> parent.map(real -> real.child(path.name()))),
                call);
    }

    private <T> CompletableFuture<T> within(
            BiPredicate<Rights, FilePath> right,
            FilePath path,
            CompletableFuture<Optional<FilePath>> real,
            Function<FilePath, CompletableFuture<T>> call) {
        return words.told(real)
                .thenCompose(found -> found.isEmpty()
                        ? RightsBackend.<T>denied(path)
                        : allows(right, found.get())
                                .thenCompose(allowed ->
                                        allowed ? words.told(call.apply(found.get())) : RightsBackend.<T>denied(path)));
    }

    /** Returns the place that a path leads to, as the user sees it; none outside of the user's root. */
    private CompletableFuture<Optional<FilePath>> place(FilePath path) {
        return backend.real(rights.root())
                .thenCombine(
                        backend.real(rights.behind(path)),
                        (root, real) -> real.startsWith(root) ? Optional.of(real.below(root)) : Optional.empty());
    }

    /** Returns whether a right holds at a place, as the rules say or as they do where links in their paths lead. */
    private CompletableFuture<Boolean> allows(BiPredicate<Rights, FilePath> right, FilePath place) {
        return right.test(rights, place)
                ? CompletableFuture.completedFuture(true)
                : placed().thenApply(placed -> right.test(placed, place));
    }

    /** Returns the rights with those on the places that the paths of the rules lead to. */
    private CompletableFuture<Rights> placed() {
        CompletableFuture<List<Rule>> places = CompletableFuture.completedFuture(new ArrayList<>());
        for (Rule rule : rights.rules()) {
            places = places.thenCombine(place(rule.path()).exceptionally(gone -> Optional.empty()), (before, found) -> {
                found.ifPresent(there -> before.add(new Rule(there, rule.right())));
                return before;
            });
        }
        return places.thenApply(rights::with);
    }

    private static Entry seen(Entry entry, boolean writable) {
        return writable
                ? entry
                : new Entry(entry.name(), entry.type(), entry.length(), entry.modified(), false, entry.unix());
    }

    @Override
    public CompletableFuture<FilePath> real(FilePath path) {
        return followed(Rights::maySee, path, CompletableFuture::completedFuture);
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        return followed(Rights::maySee, path, real -> itself(backend.stat(rights.behind(path)), path, real));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return followed(
                Rights::maySee,
                path,
                real -> backend.list(rights.behind(path)).thenCompose(entries -> visible(entries, path, real)));
    }

    @Override
    public CompletableFuture<Directory> directory(FilePath path) {
        return followed(Rights::maySee, path, real -> {
            CompletableFuture<Directory> looked = backend.directory(rights.behind(path));
            return itself(looked.thenApply(Directory::self), path, real)
                    .thenCombine(looked.thenCompose(found -> visible(found.entries(), path, real)), Directory::new);
        });
    }

    /** Returns what the user sees of a path that was asked for. */
    private CompletableFuture<Entry> itself(CompletableFuture<Entry> looked, FilePath path, FilePath real) {
        return looked.thenCombine(
                allows(Rights::mayWrite, real), (entry, writable) -> seen(entry.withName(path.name()), writable));
    }

    private CompletableFuture<List<Entry>> visible(List<Entry> entries, FilePath path, FilePath real) {
        return placed().thenCompose(placed -> visible(entries, path, real, placed));
    }

    /** Returns the entries of a directory that the user may see; links are looked at one by one. */
    private CompletableFuture<List<Entry>> visible(List<Entry> entries, FilePath path, FilePath real, Rights placed) {
        CompletableFuture<List<Entry>> visible = CompletableFuture.completedFuture(new ArrayList<>());
        for (Entry entry : entries) {
            FilePath name = path.child(entry.name());
            FilePath own = real.child(entry.name());
            if (rights.maySee(name) && either(Rights::maySee, placed, own)) {
                boolean isLink = entry.unix().flatMap(Entry.Unix::linkTarget).isPresent();
                boolean mayRemove = rights.mayWrite(name) && either(Rights::mayWrite, placed, own);
                CompletableFuture<Optional<FilePath>> place = isLink
                        ? place(name).exceptionally(gone -> Optional.empty())
                        : CompletableFuture.completedFuture(Optional.of(own));
                visible = visible.thenCombine(place, (before, found) -> {
                    found.filter(there -> either(Rights::maySee, placed, there))
                            .map(there -> seen(entry, either(Rights::mayWrite, placed, there)))
                            .or(() -> Optional.of(bare(entry.name())).filter(link -> mayRemove))
                            .ifPresent(before::add);
                    return before;
                });
            }
        }
        return visible;
    }

    private boolean either(BiPredicate<Rights, FilePath> right, Rights placed, FilePath place) {
        return right.test(rights, place) || right.test(placed, place);
    }

    /** A link to where its user may not look: a name to remove, without which its directory could not be emptied. */
    private static Entry bare(String name) {
        return new Entry(name, Entry.Type.OTHER, 0, Instant.EPOCH, true, Optional.empty());
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return named(Rights::mayWrite, path, real -> backend.makeDirectory(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return named(Rights::mayWrite, path, real -> backend.removeDirectory(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return named(Rights::mayWrite, path, real -> backend.deleteFile(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        BiPredicate<Rights, FilePath> mayMove = (rules, path) -> rules.allowsMoving(path) && !path.isRoot();
        if (mayMove.test(rights, from) && !mayMove.test(rights, to)) {
            return denied(to);
        }
        // one after the other: a failure within both would be put into the user's words twice
        return named(mayMove, from, CompletableFuture::completedFuture)
                .thenCompose(source -> named(
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
                throw new BackendException(
                        BackendException.Code.DENIED,
                        link.get()
                                + ": Permission denied: it is a link, which would lead elsewhere from another directory");
            }
        });
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return followed(Rights::mayWrite, path, real -> backend.setModified(rights.behind(path), time));
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return followed(Rights::mayWrite, path, real -> backend.setMode(rights.behind(path), mode));
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        return followed(
                Rights::mayRead, path, real -> backend.checksum(rights.behind(path), algorithm, range, progress));
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return followed(Rights::mayRead, path, real -> backend.read(rights.behind(path), ranges))
                .thenApply(words::told);
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        FilePath path = request.path();
        return followed(Rights::mayWrite, path, real -> backend.write(request.withPath(rights.behind(path))))
                .thenApply(words::told);
    }

    @Override
    public void close() {
        // not its own
    }
}
