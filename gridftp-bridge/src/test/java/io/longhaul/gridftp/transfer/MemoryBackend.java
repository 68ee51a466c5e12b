package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.RunningChecksum;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A server in memory that can be away, and forgets its unfinished writes then. Everything is done at once. */
final class MemoryBackend extends FilesOnly {
    private static final int BLOCK_BYTES = 64 * 1024;

    private final Map<FilePath, byte[]> files = new HashMap<>();
    final Map<FilePath, Part> suspended = new HashMap<>();
    private final Map<FilePath, Instant> times = new HashMap<>();
    private final Executor later;

    /** What is there of files that are not whole. */
    final Set<String> temporaries = new HashSet<>();

    /** How many bytes there is space for in each file. */
    long room = Long.MAX_VALUE;

    boolean hasChecksums = true;
    private Optional<BackendException> refusal = Optional.empty();
    private boolean away;
    private boolean awayAtCommit;
    private Optional<BackendException> uncommitted = Optional.empty();
    private Runnable beforeWrite = () -> {};
    private Runnable afterCommit = () -> {};
    private CompletableFuture<Void> answering = CompletableFuture.completedFuture(null);
    private int sessions = Integer.MAX_VALUE;
    private int life;
    private int openSinks;
    private int commits;
    private int begun;
    private long written;
    private long read;
    int looks; // for a file

    record Part(byte[] bytes, ByteRanges ranges) {}

    /** Takes what completes the reading of blocks, but not the telling of the end. */
    MemoryBackend(Executor later) {
        this.later = later;
    }

    /** From now on nothing works, or everything does again. */
    void away(boolean now) {
        away = now;
        if (now) {
            life++;
            openSinks = 0;
        }
    }

    /** Goes away as soon as it is told to commit, and may have done it or not. */
    void awayAtCommit() {
        awayAtCommit = true;
    }

    /** From now on commits do nothing and fail so, or do not. */
    void failCommits(Optional<BackendException> failure) {
        uncommitted = failure;
    }

    /** Does this once, when something was committed and nobody has heard of it. */
    void afterCommit(Runnable action) {
        afterCommit = action;
    }

    /** From now on tells what became of a commit only after this, though it is done at once. */
    void answerCommitsAfter(CompletableFuture<Void> event) {
        answering = event;
    }

    /** Has so many sessions: each write that is open has one, and who looks needs one. */
    void sessions(int most) {
        sessions = most;
    }

    /** Does this once, when a write has been asked for and not begun. */
    void beforeWrite(Runnable action) {
        beforeWrite = action;
    }

    /** From now on refuses writes so, or does not. */
    void refuse(Optional<Code> code) {
        refusal = code.map(each -> new BackendException(each, "refused"));
    }

    byte[] file(String path) {
        return files.get(FilePath.of(path));
    }

    void put(String path, byte[] bytes, Instant time) {
        files.put(FilePath.of(path), bytes);
        times.put(FilePath.of(path), time);
    }

    void delete(String path) {
        files.remove(FilePath.of(path));
    }

    boolean has(String path) {
        return files.containsKey(FilePath.of(path));
    }

    int commits() {
        return commits;
    }

    int openSinks() {
        return openSinks;
    }

    long written() {
        return written;
    }

    long read() {
        return read;
    }

    private <T> CompletableFuture<T> here(int since, Supplier<T> action) {
        if (away || since != life) {
            return CompletableFuture.failedFuture(BackendException.away("Connection refused", null));
        }
        try {
            return CompletableFuture.completedFuture(action.get());
        } catch (BackendException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Entry entry(FilePath path) {
        byte[] bytes = path.isRoot() ? new byte[0] : files.get(path);
        if (bytes == null) {
            throw new BackendException(Code.NOT_FOUND, path + ": No such file or directory");
        }
        return new Entry(
                path.name(),
                path.isRoot() ? Entry.Type.DIRECTORY : Entry.Type.FILE,
                bytes.length,
                times.getOrDefault(path, Instant.EPOCH),
                true,
                Optional.empty());
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        return here(life, () -> {
            if (openSinks >= sessions) {
                throw new BackendException(Code.UNAVAILABLE, "all sessions are in use");
            }
            looks++;
            return entry(path);
        });
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        int since = life;
        return here(since, () -> {
            byte[] bytes = files.get(FilePath.of(path.toString()));
            Deque<ByteRange> left = new ArrayDeque<>(ranges);
            return new Source() {
                @Override
                public CompletableFuture<Optional<Block>> next() {
                    CompletableFuture<Optional<Block>> now = here(since, () -> {
                        while (!left.isEmpty() && left.peek().isEmpty()) {
                            left.remove();
                        }
                        if (left.isEmpty()) {
                            return Optional.empty();
                        }
                        ByteRange range = left.remove();
                        long end = Math.min(range.end(), range.start() + BLOCK_BYTES);
                        left.addFirst(new ByteRange(end, range.end()));
                        read += end - range.start();
                        return Optional.of(
                                new Block(range.start(), Unpooled.copiedBuffer(bytes, (int) range.start(), (int)
                                        (end - range.start()))));
                    });
                    CompletableFuture<Optional<Block>> block = new CompletableFuture<>();
                    Executor when = now.isCompletedExceptionally() || now.join().isEmpty() ? Runnable::run : later;
                    when.execute(() -> now.whenComplete((done, failure) -> {
                        if (failure == null) {
                            block.complete(done);
                        } else {
                            block.completeExceptionally(failure);
                        }
                    }));
                    return block;
                }

                @Override
                public void close() {
                    left.clear();
                }
            };
        });
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        int since = life;
        Runnable before = beforeWrite;
        beforeWrite = () -> {};
        before.run();
        return here(since, () -> {
            refusal.ifPresent(refused -> {
                throw refused;
            });
            Part part = new Part(new byte[0], new ByteRanges());
            if (request.kind() == Kind.RESUME) {
                part = suspended.remove(request.path());
                if (part == null || !request.present().stream().allMatch(part.ranges::contains)) {
                    throw new BackendException(Code.BAD_RANGE, request.path() + ": nothing to resume");
                }
                part = new Part(part.bytes, ByteRanges.of(request.present()));
            }
            openSinks++;
            Optional<Entry> old =
                    files.containsKey(request.path()) ? Optional.of(entry(request.path())) : Optional.empty();
            return new MemorySink(since, request, old, part);
        });
    }

    private void ended(MemorySink sink) {
        openSinks--;
        temporaries.remove(sink.temporary);
    }

    @Override
    public CompletableFuture<Void> discard(String temporary) {
        return here(life, () -> {
            temporaries.remove(temporary);
            return null;
        });
    }

    private final class MemorySink implements Sink {
        private final int since;
        private final WriteRequest request;
        private final Optional<Entry> old;
        private byte[] bytes;
        private final ByteRanges ranges;
        private final String temporary = ".lh-" + ++begun;

        MemorySink(int since, WriteRequest request, Optional<Entry> old, Part part) {
            this.since = since;
            this.request = request;
            this.old = old;
            this.bytes = part.bytes;
            this.ranges = part.ranges;
            temporaries.add(temporary);
        }

        @Override
        public Optional<String> temporary() {
            return Optional.of(temporary);
        }

        @Override
        public CompletableFuture<Void> write(long position, ByteBuf data) {
            CompletableFuture<Void> done = here(since, () -> {
                int length = data.readableBytes();
                if (position + length > room) {
                    throw new BackendException(Code.NO_SPACE, "No space left on device");
                }
                if (bytes.length < position + length) {
                    bytes = Arrays.copyOf(bytes, (int) position + length);
                }
                data.getBytes(data.readerIndex(), bytes, (int) position, length);
                ranges.add(position, position + length);
                written += length;
                return null;
            });
            data.release();
            return done;
        }

        @Override
        public Optional<Entry> old() {
            return old;
        }

        @Override
        public CompletableFuture<Void> force() {
            return here(since, () -> null);
        }

        @Override
        public CompletableFuture<Entry> commit(LongConsumer progress) {
            if (awayAtCommit) {
                away(true);
            }
            CompletableFuture<Entry> committed = committed();
            return answering.thenCompose(now -> committed);
        }

        private CompletableFuture<Entry> committed() {
            return here(since, () -> {
                ended(this);
                uncommitted.ifPresent(failure -> {
                    throw failure;
                });
                if (request.kind() == Kind.RESTART && !old.equals(Optional.of(entry(request.path())))) {
                    throw new BackendException(Code.BAD_RANGE, request.path() + ": it has changed");
                }
                commits++;
                byte[] whole = Arrays.copyOf(bytes, (int) ranges.end());
                byte[] there = files.getOrDefault(request.path(), new byte[0]);
                if (request.kind() == Kind.APPEND) {
                    byte[] both = Arrays.copyOf(there, there.length + whole.length);
                    System.arraycopy(whole, 0, both, there.length, whole.length);
                    whole = both;
                } else if (request.kind() == Kind.OVERLAY || request.kind() == Kind.RESTART) {
                    byte[] over = Arrays.copyOf(there, Math.max(there.length, whole.length));
                    for (ByteRange range : ranges.list()) {
                        System.arraycopy(whole, (int) range.start(), over, (int) range.start(), (int) range.length());
                    }
                    whole = over;
                } else if (!ranges.isWhole()) {
                    throw new BackendException(Code.FAILED, "a hole");
                }
                files.put(request.path(), whole);
                Runnable after = afterCommit;
                afterCommit = () -> {};
                after.run();
                if (since != life) {
                    throw BackendException.away("Connection reset by peer", null);
                }
                return entry(request.path());
            });
        }

        @Override
        public CompletableFuture<Void> suspend() {
            return here(since, () -> {
                ended(this);
                suspended.put(request.path(), new Part(bytes, ranges));
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> abort() {
            return here(since, () -> {
                ended(this);
                return null;
            });
        }
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        if (!hasChecksums) {
            return CompletableFuture.failedFuture(new BackendException(Code.UNSUPPORTED, "not here"));
        }
        return here(life, () -> {
            entry(path);
            RunningChecksum sum = RunningChecksum.of(algorithm);
            sum.update(ByteBuffer.wrap(files.get(path), (int) range.start(), (int) range.length()));
            return sum.result();
        });
    }

    @Override
    public void close() {
        files.clear();
    }
}
