package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.gridftp.thread.AtMost;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A directory of this machine as a back end. Owns the threads that wait for the disk. */
public final class DirectoryBackend implements Backend {
    private static final int LOCKS = 64;
    private static final long STOP_SECONDS = 5;

    private final Confinement confinement;
    private final Entries entries;
    private final Workplace workplace;
    private final Suspended suspended;
    private final ThreadPoolExecutor disk;
    private final DiskThreads threads;
    private final List<Lock> locks =
            IntStream.range(0, LOCKS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

    private DirectoryBackend(Path root, Workplace workplace, Suspended suspended, ThreadPoolExecutor disk) {
        this.confinement = new Confinement(root);
        this.entries = new Entries(confinement);
        this.workplace = workplace;
        this.suspended = suspended;
        this.disk = disk;
        this.threads = new DiskThreads(disk, new AtMost(Math.max(1, disk.getMaximumPoolSize() - 1), disk));
    }

    /**
     * Opens a directory.
     *
     * @param threads for calls that wait for the disk
     * @throws BackendException when it is none, or cannot be read
     */
    public static DirectoryBackend open(Path directory, int threads, LongSupplier nanoTime, RandomGenerator random) {
        try {
            Path root = directory.toRealPath();
            if (!Files.isDirectory(root)) {
                throw new BackendException(Code.NOT_A_DIRECTORY, directory + ": expected a directory");
            }
            AtomicInteger number = new AtomicInteger();
            ThreadPoolExecutor disk = new ThreadPoolExecutor(
                    threads, threads, STOP_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                        Thread thread = new Thread(task, "gridftp-disk-" + number.incrementAndGet());
                        thread.setDaemon(true);
                        return thread;
                    });
            return new DirectoryBackend(root, Workplace.in(root, random), new Suspended(nanoTime), disk);
        } catch (NoSuchFileException e) {
            throw new BackendException(Code.NOT_FOUND, directory + ": expected a directory, found nothing", e);
        } catch (IOException e) {
            throw new BackendException(Code.FAILED, directory + ": cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        return call(path, () -> {
            Path named = path.isRoot() ? confinement.root() : confinement.named(path);
            Entry entry = entries.of(named, path.name());
            // a link out of the root is seen in its directory, and no more than that
            confinement.existing(path);
            return entry;
        });
    }

    @Override
    public CompletableFuture<FilePath> real(FilePath path) {
        return call(path, () -> confinement.real(path));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return call(path, () -> {
            List<Entry> found = new ArrayList<>();
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(confinement.existing(path))) {
                for (Path file : stream) {
                    String name = String.valueOf(file.getFileName());
                    if (!Confinement.isOwn(name)) {
                        entry(file, name).ifPresent(found::add);
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            return found;
        });
    }

    private Optional<Entry> entry(Path file, String name) throws IOException {
        try {
            return Optional.of(entries.of(file, name));
        } catch (NoSuchFileException e) {
            // removed since its name was read
            return Optional.empty();
        }
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return call(path, () -> {
            if (path.isRoot()) {
                throw Failures.of(path, Code.EXISTS);
            }
            Path named = confinement.named(path);
            Files.createDirectory(named);
            Placing.sync(named.resolveSibling("."));
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return call(path, () -> {
            Path named = confinement.named(path);
            if (!Files.isDirectory(named, LinkOption.NOFOLLOW_LINKS)) {
                throw Failures.of(
                        path, Files.exists(named, LinkOption.NOFOLLOW_LINKS) ? Code.NOT_A_DIRECTORY : Code.NOT_FOUND);
            }
            Files.delete(named);
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return call(path, () -> {
            Path named = confinement.named(path);
            if (Files.isDirectory(named, LinkOption.NOFOLLOW_LINKS)) {
                throw Failures.of(path, Code.IS_A_DIRECTORY);
            }
            Files.delete(named);
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        return call(from, () -> {
            Path source = confinement.named(from);
            if (!Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
                throw Failures.of(from, Code.NOT_FOUND);
            }
            try {
                rename(source, to);
            } catch (IOException e) {
                // what was there just now, and still is, is not what fails
                throw Failures.of(Files.exists(source, LinkOption.NOFOLLOW_LINKS) ? to : from, e);
            }
            return null;
        });
    }

    private void rename(Path source, FilePath to) throws IOException {
        Path target = confinement.named(to);
        boolean isDirectory = Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS);
        if (!isDirectory && Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            throw Failures.of(to, Code.IS_A_DIRECTORY);
        }
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (FileAlreadyExistsException e) {
            if (isDirectory) {
                // which is what some file systems, such as XFS, say of one that is not empty
                throw Failures.of(to, Code.NOT_EMPTY);
            }
            throw e;
        }
        Placing.sync(target.resolveSibling("."));
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return call(path, () -> {
            Files.setLastModifiedTime(confinement.existing(path), FileTime.from(time));
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return call(path, () -> {
            Files.setPosixFilePermissions(confinement.existing(path), Entries.permissions(mode));
            return null;
        });
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        CompletableFuture<String> digits = new CompletableFuture<>();
        call(path, () -> FileSum.open(file(path), algorithm, range, progress)).whenComplete((sum, failure) -> {
            if (failure == null) {
                goOn(path, sum, digits);
            } else {
                digits.completeExceptionally(failure);
            }
        });
        return digits;
    }

    /** Each piece is a call of its own, so that others that take long have their turn in between: there are few threads. */
    private void goOn(FilePath path, FileSum sum, CompletableFuture<String> digits) {
        call(threads.most(), path, () -> digits.isDone() || sum.advance()).whenComplete((isOver, failure) -> {
            if (failure == null && !isOver) {
                goOn(path, sum, digits);
                return;
            }
            sum.close();
            if (failure == null) {
                digits.complete(sum.digits());
            } else {
                digits.completeExceptionally(failure);
            }
        });
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return call(path, () -> FileSource.open(path, file(path), ranges, disk));
    }

    private Path file(FilePath path) throws IOException {
        Path file = confinement.existing(path);
        if (!Files.isRegularFile(file)) {
            throw Failures.of(path, Files.isDirectory(file) ? Code.IS_A_DIRECTORY : Code.DENIED);
        }
        return file;
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        FilePath path = request.path();
        return call(path, () -> {
            Path target = confinement.target(path);
            if (Files.getFileStore(target.resolveSibling(".")).getUsableSpace() < request.expectedBytes()) {
                throw Failures.of(path, Code.NO_SPACE);
            }
            Kind kind = request.kind();
            Optional<Part> going = Optional.empty();
            Optional<Placing.Basis> basis = Optional.empty();
            if (kind == Kind.RESUME || kind == Kind.RESTART) {
                going = suspended.take(target, request.present());
                if (going.isEmpty()) {
                    basis = Optional.of(basis(request, target));
                }
                kind = going.isPresent() ? Kind.RESUME : Kind.OVERLAY;
            } else {
                suspended.forget(target);
            }
            // after the version that the commit demands: one that came in between is another one than this
            Optional<Entry> old = request.kind() == Kind.RESTART ? entry(target, path.name()) : Optional.empty();
            Lock lock = locks.get(Math.floorMod(target.hashCode(), LOCKS));
            Placing placing = new Placing(kind, basis, request.checksum(), lock, entries);
            Part part = going.isPresent() ? going.get() : workplace.newPart(target);
            try {
                FileChannel channel = FileChannel.open(
                        part.place(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                return new FileSink(path, old, part, channel, placing, suspended, threads);
            } catch (IOException e) {
                if (going.isPresent()) {
                    suspended.keep(part);
                } else {
                    part.remove();
                }
                throw e;
            }
        });
    }

    @Override
    public CompletableFuture<Void> discard(String temporary) {
        return call(FilePath.ROOT, () -> {
            workplace.discard(temporary);
            return null;
        });
    }

    /** Returns the file that is there, if it has what the sender takes for granted, as far as anybody can tell. */
    private Placing.Basis basis(WriteRequest request, Path target) {
        long end = ByteRanges.of(request.present()).end();
        return FileVersion.of(target)
                .filter(version -> request.kind() == Kind.RESTART
                        && version.length() >= end
                        && !suspended.doubts().concern(target, version, end))
                .map(version -> new Placing.Basis(version, end))
                .orElseThrow(() -> Failures.of(request.path(), Code.BAD_RANGE));
    }

    private <T> CompletableFuture<T> call(FilePath path, Callable<? extends T> call) {
        return call(threads.all(), path, call);
    }

    private static <T> CompletableFuture<T> call(Executor executor, FilePath path, Callable<? extends T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    done.complete(call.call());
                } catch (IOException e) {
                    done.completeExceptionally(Failures.of(path, e));
                } catch (Throwable e) {
                    // whoever waits must hear of errors too
                    done.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(new BackendException(Code.UNAVAILABLE, path + ": the back end is closed", e));
        }
        return done;
    }

    @Override
    public void close() {
        disk.shutdown();
        try {
            if (!disk.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                disk.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        suspended.close();
        workplace.close();
    }
}
