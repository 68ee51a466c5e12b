package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** {@code SITE RDEL path}: removes a directory and everything below it, or a file. Links are removed, not followed. */
final class RemoveTreeVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        FilePath path = session.directory().resolve(argument);
        if (argument.isBlank() || path.isRoot()) {
            return Replies.now(501, "SITE RDEL: expected a path below the root.");
        }
        Removal removal = new Removal(session.files(), session.loop());
        session.whenUnwanted(removal::stop);
        return session.files()
                .stat(path)
                .thenCompose(entry -> removal.of(path, entry))
                .thenApply(done -> Replies.ok())
                .exceptionallyCompose(failure -> removal.isUnwanted
                        ? Replies.now(426, "Removal aborted by ABOR.")
                        : CompletableFuture.failedFuture(failure));
    }

    /** One step at a time; what has been removed stays removed. */
    private static final class Removal {
        private static final int MOST_DEPTH = 1000;

        private final Backend files;
        private final Executor loop;
        private final Deque<Level> levels = new ArrayDeque<>();
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private volatile boolean isUnwanted;

        /** A directory and what is left to remove in it. */
        private record Level(FilePath path, Deque<Entry> left) {}

        Removal(Backend files, Executor loop) {
            this.files = files;
            this.loop = loop;
        }

        void stop() {
            isUnwanted = true;
        }

        CompletableFuture<Void> of(FilePath path, Entry entry) {
            if (!isOwnDirectory(entry)) {
                return files.deleteFile(path);
            }
            enter(path);
            return done;
        }

        private static boolean isOwnDirectory(Entry entry) {
            return entry.isDirectory()
                    && entry.unix().flatMap(Entry.Unix::linkTarget).isEmpty();
        }

        private void enter(FilePath path) {
            if (levels.size() >= MOST_DEPTH) {
                done.completeExceptionally(new BackendException(
                        BackendException.Code.FAILED, path + ": more than " + MOST_DEPTH + " directories deep"));
                return;
            }
            // on the loop even when it is done at once, or the stack would grow with the number of directories
            files.list(path)
                    .whenCompleteAsync(
                            (entries, failure) -> {
                                if (failure == null) {
                                    levels.push(new Level(path, new ArrayDeque<>(entries)));
                                }
                                next(failure);
                            },
                            loop);
        }

        /** Removes files one after the other without a stack that grows with their number. */
        private void next(@Nullable Throwable failure) {
            @Nullable Throwable failed = failure;
            while (failed == null && !isUnwanted) {
                Level level = levels.peek();
                if (level == null) {
                    done.complete(null);
                    return;
                }
                Entry entry = level.left().poll();
                if (entry != null && isOwnDirectory(entry)) {
                    enter(level.path().child(entry.name()));
                    return;
                }
                CompletableFuture<Void> step;
                if (entry == null) {
                    levels.pop();
                    step = files.removeDirectory(level.path());
                } else {
                    step = files.deleteFile(level.path().child(entry.name()));
                }
                if (!step.isDone()) {
                    step.whenCompleteAsync((removed, why) -> next(why), loop);
                    return;
                }
                failed = step.handle((removed, why) -> why).join();
            }
            done.completeExceptionally(failed == null ? new CancellationException() : failed);
        }
    }
}
