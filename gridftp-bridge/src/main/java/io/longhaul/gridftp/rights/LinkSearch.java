package io.longhaul.gridftp.rights;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a tree for a link, one directory after the other. What nobody knows more of than that it is neither file nor
 * directory counts as one: so are links shown that point to nothing, or where nobody may look.
 */
final class LinkSearch {
    private final Backend backend;
    private final Deque<FilePath> left = new ArrayDeque<>();
    private final CompletableFuture<Optional<FilePath>> found = new CompletableFuture<>();

    private LinkSearch(Backend backend) {
        this.backend = backend;
    }

    /** Returns the first link at a path or below it. */
    static CompletableFuture<Optional<FilePath>> in(Backend backend, FilePath path) {
        return backend.stat(path).thenCompose(entry -> {
            LinkSearch search = new LinkSearch(backend);
            if (isLink(entry)) {
                return CompletableFuture.completedFuture(Optional.of(path));
            }
            if (entry.isDirectory()) {
                search.left.push(path);
            }
            search.next();
            return search.found;
        });
    }

    private static boolean isLink(Entry entry) {
        return entry.type() == Entry.Type.OTHER
                || entry.unix().flatMap(Entry.Unix::linkTarget).isPresent();
    }

    /** Goes on without a stack that grows with the number of directories. */
    private void next() {
        while (!found.isDone()) {
            FilePath directory = left.poll();
            if (directory == null) {
                found.complete(Optional.empty());
                return;
            }
            CompletableFuture<List<Entry>> listing = backend.list(directory);
            if (!listing.isDone()) {
                listing.whenComplete((entries, failure) -> guarded(() -> {
                    look(directory, entries, failure);
                    next();
                }));
                return;
            }
            listing.whenComplete((entries, failure) -> guarded(() -> look(directory, entries, failure)));
        }
    }

    /** What is thrown where a listing is told of is heard by nobody. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            found.completeExceptionally(e);
        }
    }

    private void look(FilePath directory, @Nullable List<Entry> entries, @Nullable Throwable failure) {
        if (entries == null) {
            found.completeExceptionally(failure == null ? new IllegalStateException("no listing") : failure);
            return;
        }
        for (Entry entry : entries) {
            FilePath path = directory.child(entry.name());
            if (isLink(entry)) {
                found.complete(Optional.of(path));
                return;
            }
            if (entry.isDirectory()) {
                left.push(path);
            }
        }
    }
}
