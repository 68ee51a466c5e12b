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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A back end within a user's rights. What the user has no right to is refused without a look at it, so that the answer does
 * not tell whether it is there. Thread-safe.
 */
final class RightsBackend implements Backend {
    private final Rights rights;
    private final Backend backend;

    RightsBackend(Rights rights, Backend backend) {
        this.rights = rights;
        this.backend = backend;
    }

    private <T> CompletableFuture<T> allowed(boolean isAllowed, FilePath path, Supplier<CompletableFuture<T>> call) {
        return isAllowed
                ? call.get()
                : CompletableFuture.failedFuture(
                        new BackendException(BackendException.Code.DENIED, path + ": Permission denied"));
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
    public CompletableFuture<Entry> stat(FilePath path) {
        return allowed(
                maySee(path),
                path,
                () -> backend.stat(rights.behind(path)).thenApply(entry -> seen(entry.withName(path.name()), path)));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return allowed(
                maySee(path),
                path,
                () -> backend.list(rights.behind(path))
                        .thenApply(entries -> entries.stream()
                                .filter(entry -> maySee(path.child(entry.name())))
                                .map(entry -> seen(entry, path.child(entry.name())))
                                .toList()));
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return allowed(mayWrite(path), path, () -> backend.makeDirectory(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return allowed(mayWrite(path) && !path.isRoot(), path, () -> backend.removeDirectory(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return allowed(mayWrite(path), path, () -> backend.deleteFile(rights.behind(path)));
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        boolean mayMove = rights.allowsMoving(from) && !from.isRoot();
        return allowed(
                mayMove && rights.allowsMoving(to) && !to.isRoot(),
                mayMove ? to : from,
                () -> staysTheSame(from, to)
                        .thenCompose(same -> backend.rename(rights.behind(from), rights.behind(to))));
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
        return allowed(mayWrite(path), path, () -> backend.setModified(rights.behind(path), time));
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return allowed(mayWrite(path), path, () -> backend.setMode(rights.behind(path), mode));
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        return allowed(mayRead(path), path, () -> backend.checksum(rights.behind(path), algorithm, range, progress));
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return allowed(mayRead(path), path, () -> backend.read(rights.behind(path), ranges));
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        FilePath path = request.path();
        return allowed(mayWrite(path), path, () -> backend.write(request.withPath(rights.behind(path))));
    }

    @Override
    public void close() {
        // not its own
    }
}
