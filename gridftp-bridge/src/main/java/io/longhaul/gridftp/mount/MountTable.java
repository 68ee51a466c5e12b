package io.longhaul.gridftp.mount;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;

/**
 * Back ends under paths of their own. The longest path that fits decides; what lies above them is read-only directories.
 *
 * <p>Owns its back ends. Thread-safe.
 */
public final class MountTable implements Backend {
    private final List<Mount> mounts;
    private final Instant since;

    /**
     * A back end and where it is.
     *
     * @param path of its root
     */
    public record Mount(FilePath path, Backend backend) {}

    /**
     * Takes the mounts; throws {@link IllegalArgumentException} for two on one path.
     *
     * @param since the time that directories above mounts show
     */
    public MountTable(List<Mount> mounts, Instant since) {
        if (mounts.stream().map(Mount::path).distinct().count() < mounts.size()) {
            throw new IllegalArgumentException("mounts: expected each path once");
        }
        this.mounts = mounts.stream()
                .sorted(Comparator.comparingInt(
                                (Mount mount) -> mount.path().names().size())
                        .reversed())
                .toList();
        this.since = since;
    }

    private Optional<Mount> mount(FilePath path) {
        return mounts.stream().filter(mount -> path.startsWith(mount.path())).findFirst();
    }

    /** Returns the names of mounts and directories above mounts that are in a directory. */
    private List<Entry> above(FilePath path) {
        Map<String, Entry> names = new LinkedHashMap<>();
        for (Mount mount : mounts) {
            if (mount.path().startsWith(path) && !mount.path().equals(path)) {
                String name = mount.path().names().get(path.names().size());
                names.put(name, directory(name));
            }
        }
        return List.copyOf(names.values());
    }

    private Entry directory(String name) {
        return new Entry(name, Entry.Type.DIRECTORY, 0, since, false, Optional.empty());
    }

    private boolean isAbove(FilePath path) {
        return mounts.stream().anyMatch(mount -> mount.path().startsWith(path));
    }

    /** Asks a mount for something at a path; failures name it as it was asked for. */
    private static <T> CompletableFuture<T> in(
            Mount mount, FilePath path, BiFunction<Backend, FilePath, CompletableFuture<T>> call) {
        return words(mount, path).told(call.apply(mount.backend(), path.below(mount.path())));
    }

    /** Of other paths than those below the one that was asked for a mount says nothing. */
    private static PathWords words(Mount mount, FilePath... paths) {
        Map<FilePath, FilePath> moved = new HashMap<>();
        for (FilePath path : paths) {
            FilePath below = path.below(mount.path());
            FilePath first = new FilePath(below.names().stream().limit(1).toList());
            moved.put(first, mount.path().append(first));
        }
        return new PathWords(moved);
    }

    private static <T> CompletableFuture<T> failed(FilePath path, Code code, String words) {
        return CompletableFuture.failedFuture(new BackendException(code, path + ": " + words));
    }

    /** What a path that belongs to no mount, or is one, answers to who wants to change it. */
    private <T> CompletableFuture<T> fixed(FilePath path) {
        return isAbove(path) || isAbove(path.parent())
                ? failed(path, Code.DENIED, "Permission denied")
                : failed(path, Code.NOT_FOUND, "No such file or directory");
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        Optional<Mount> mount = mount(path);
        if (mount.isPresent()) {
            return in(mount.get(), path, Backend::stat).thenApply(entry -> entry.withName(path.name()));
        }
        return isAbove(path)
                ? CompletableFuture.completedFuture(directory(path.name()))
                : failed(path, Code.NOT_FOUND, "No such file or directory");
    }

    @Override
    public CompletableFuture<FilePath> real(FilePath path) {
        Optional<Mount> mount = mount(path);
        if (mount.isEmpty()) {
            return CompletableFuture.completedFuture(path);
        }
        return in(mount.get(), path, Backend::real).thenApply(mount.get().path()::append);
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        Optional<Mount> mount = mount(path);
        List<Entry> above = above(path);
        if (mount.isEmpty()) {
            return isAbove(path)
                    ? CompletableFuture.completedFuture(above)
                    : failed(path, Code.NOT_FOUND, "No such file or directory");
        }
        return in(mount.get(), path, Backend::list).thenApply(entries -> merged(entries, above));
    }

    @Override
    public CompletableFuture<Directory> directory(FilePath path) {
        Optional<Mount> mount = mount(path);
        return mount.isEmpty()
                ? Backend.super.directory(path)
                : in(mount.get(), path, Backend::directory)
                        .thenApply(found -> new Directory(
                                found.self().withName(path.name()), merged(found.entries(), above(path))));
    }

    private static List<Entry> merged(List<Entry> own, List<Entry> above) {
        if (above.isEmpty()) {
            return own;
        }
        List<Entry> merged = new ArrayList<>(above);
        own.stream()
                .filter(entry -> above.stream().noneMatch(mount -> mount.name().equals(entry.name())))
                .forEach(merged::add);
        return merged;
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        if (isAbove(path)) {
            return failed(path, Code.EXISTS, "File exists");
        }
        Optional<Mount> mount = mount(path);
        return mount.isPresent() ? in(mount.get(), path, Backend::makeDirectory) : fixed(path);
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        Optional<Mount> mount = isAbove(path) ? Optional.empty() : mount(path);
        return mount.isPresent() ? in(mount.get(), path, Backend::removeDirectory) : fixed(path);
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        Optional<Mount> mount = isAbove(path) ? Optional.empty() : mount(path);
        return mount.isPresent() ? in(mount.get(), path, Backend::deleteFile) : fixed(path);
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        Optional<Mount> source = isAbove(from) ? Optional.empty() : mount(from);
        Optional<Mount> target = isAbove(to) ? Optional.empty() : mount(to);
        if (source.isEmpty() || target.isEmpty()) {
            return fixed(source.isEmpty() ? from : to);
        }
        FilePath at = source.get().path();
        return source.equals(target)
                ? words(source.get(), from, to).told(source.get().backend().rename(from.below(at), to.below(at)))
                : failed(to, Code.UNSUPPORTED, "Invalid cross-device link");
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        Optional<Mount> mount = mount(path);
        return mount.isPresent()
                ? in(mount.get(), path, (backend, inner) -> backend.setModified(inner, time))
                : fixed(path);
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        Optional<Mount> mount = isAbove(path) ? Optional.empty() : mount(path);
        return mount.isPresent()
                ? in(mount.get(), path, (backend, inner) -> backend.setMode(inner, mode))
                : fixed(path);
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        Optional<Mount> mount = mount(path);
        return mount.isPresent()
                ? in(mount.get(), path, (backend, inner) -> backend.checksum(inner, algorithm, range, progress))
                : unreadable(path);
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        Optional<Mount> mount = mount(path);
        return mount.isPresent()
                ? in(mount.get(), path, (backend, inner) -> backend.read(inner, ranges))
                        .thenApply(words(mount.get(), path)::told)
                : unreadable(path);
    }

    private <T> CompletableFuture<T> unreadable(FilePath path) {
        return isAbove(path)
                ? failed(path, Code.IS_A_DIRECTORY, "Is a directory")
                : failed(path, Code.NOT_FOUND, "No such file or directory");
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        FilePath path = request.path();
        Optional<Mount> mount = isAbove(path) ? Optional.empty() : mount(path);
        if (mount.isEmpty()) {
            return isAbove(path) ? failed(path, Code.IS_A_DIRECTORY, "Is a directory") : fixed(path);
        }
        return in(mount.get(), path, (backend, inner) -> backend.write(request.withPath(inner)))
                .thenApply(words(mount.get(), path)::told);
    }

    @Override
    public void close() {
        mounts.forEach(mount -> mount.backend().close());
    }
}
