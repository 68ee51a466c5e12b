package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * {@code SITE RDEL path}: removes a directory and everything below it, or a file. Links are removed, not followed, and what
 * may not be removed itself is left as it is, with all that is in it.
 */
final class RemoveTreeVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        FilePath path = session.path(argument);
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

        /** What back ends and servers say to whoever wants to delete a directory as if it were a file. */
        private static final Set<Code> NO_FILE =
                EnumSet.of(Code.IS_A_DIRECTORY, Code.NOT_EMPTY, Code.NOT_FOUND, Code.DENIED, Code.FAILED);

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
            files.deleteFile(path).whenCompleteAsync((deleted, why) -> after(path, entry, why), loop);
            return done;
        }

        private static boolean isOwnDirectory(Entry entry) {
            return entry.isDirectory()
                    && entry.unix().flatMap(Entry.Unix::linkTarget).isEmpty();
        }

        /**
         * Goes on after a try to delete. Not every server tells a link from what it points to, but each deletes the link
         * and refuses a directory: so only what cannot be deleted may be a directory.
         */
        private void after(FilePath path, Entry entry, @Nullable Throwable why) {
            if (isPerhapsDirectory(entry, why)) {
                removeOrEnter(path, why);
            } else {
                next(why);
            }
        }

        private static boolean isPerhapsDirectory(Entry entry, @Nullable Throwable why) {
            return isOwnDirectory(entry)
                    && BackendException.codeOf(why).filter(NO_FILE::contains).isPresent();
        }

        /**
         * A link may be refused for other reasons, such as a parent that must not be changed, and what it points to would
         * be emptied. So only what is said to be a directory with something in it is entered.
         *
         * @param why it could not be deleted
         */
        private void removeOrEnter(FilePath path, @Nullable Throwable why) {
            files.removeDirectory(path)
                    .whenCompleteAsync(
                            (removed, failure) -> {
                                Optional<Code> code = BackendException.codeOf(failure);
                                if (code.filter(Code.NOT_EMPTY::equals).isPresent()) {
                                    enter(path);
                                } else {
                                    next(
                                            code.filter(Code.NOT_A_DIRECTORY::equals)
                                                            .isPresent()
                                                    ? why
                                                    : failure);
                                }
                            },
                            loop);
        }

        private void enter(FilePath path) {
            if (levels.size() >= MOST_DEPTH) {
                done.completeExceptionally(
                        new BackendException(Code.FAILED, path + ": more than " + MOST_DEPTH + " directories deep"));
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
                if (entry == null) {
                    levels.pop();
                    CompletableFuture<Void> step = files.removeDirectory(level.path());
                    if (!step.isDone()) {
                        step.whenCompleteAsync((removed, why) -> next(why), loop);
                        return;
                    }
                    failed = step.handle((removed, why) -> why).join();
                    continue;
                }
                FilePath path = level.path().child(entry.name());
                CompletableFuture<Void> step = files.deleteFile(path);
                if (!step.isDone()) {
                    step.whenCompleteAsync((deleted, why) -> after(path, entry, why), loop);
                    return;
                }
                failed = step.handle((deleted, why) -> why).join();
                if (isPerhapsDirectory(entry, failed)) {
                    removeOrEnter(path, failed);
                    return;
                }
            }
            done.completeExceptionally(failed == null ? new CancellationException() : failed);
        }
    }
}
