package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Source;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One version of a file that is read from the back end into a content, which a front pulls. Reads at most {@link #AHEAD_BYTES}
 * ahead of what the front has pulled; a server that goes away is asked again for what is missing, and so is one that says that it
 * cannot give it now, until it has said so often. The last block is kept back until the file is seen to be still the same. What a
 * front does not pull on is not held open at the server, which may have few sessions: it may come no more.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class Fetch {
    private static final Logger LOG = LoggerFactory.getLogger(Fetch.class);
    private static final long AHEAD_BYTES = 128L * 1024 * 1024;
    private static final int MOST_ASKED = 4;

    private final World world;
    private final Holder holder;
    private final Content content;
    private final FilePath path;
    private final Entry version;
    private final Consumer<Optional<BackendException>> whenOver;
    private final Runnable unlisten;

    private final Pauses pauses = new Pauses();
    private final Answers answers = new Answers();
    private ByteRanges wanted = new ByteRanges();
    private @Nullable Backend backend;
    private @Nullable Source source;
    private @Nullable Block last;
    private CompletableFuture<Void> opened = new CompletableFuture<>();
    private int attempt; // what belongs to an earlier one is not heard any more
    private int asked;
    private boolean isReading;
    private boolean isResting; // until the front pulls on
    private boolean isAtEnd;
    private boolean isReplaced; // through this back
    private boolean isOver;
    private long served;
    private long ahead;
    private long heardNs;
    private long had; // bytes, when it failed last

    /** Takes what it needs, and who hears of a failure that no front was told of, and without which nothing came. */
    Fetch(
            World world,
            Holder holder,
            Content content,
            FilePath path,
            Entry version,
            Consumer<Optional<BackendException>> whenOver) {
        this.world = world;
        this.holder = holder;
        this.content = content;
        this.path = path;
        this.version = version;
        this.whenOver = whenOver;
        this.heardNs = world.nanoTime().getAsLong();
        content.pin();
        this.unlisten = content.onServed(bytes -> world.execute(() -> {
            heardNs = world.nanoTime().getAsLong();
            served += bytes;
            ahead = Math.max(0, ahead - bytes);
            ask();
        }));
        endWhenIdle();
    }

    /** A path was changed through this back, and so what is below it: another version may look the same. */
    void changed(FilePath changed) {
        isReplaced |= path.startsWith(changed);
    }

    /** Returns whether it has not all that is wanted of it yet. */
    boolean isReading() {
        return isReading;
    }

    /** Reads these ranges too; done when they are being read. The front is told of what comes, or that is the caller's to do. */
    CompletableFuture<Void> want(String front, Backend from, List<ByteRange> ranges, boolean isOffered) {
        heardNs = world.nanoTime().getAsLong();
        backend = from;
        if (isServed()) {
            // what was sent before may have gone where nobody has it any more
            wanted = new ByteRanges();
            served = 0;
        }
        ranges.forEach(range ->
                wanted.add(Math.min(range.start(), version.length()), Math.min(range.end(), version.length())));
        if (isOffered) {
            holder.offer(content, front);
        }
        if (!isReading) {
            opened = new CompletableFuture<>();
            open(missing());
        } else if (isResting || source != null && ahead >= AHEAD_BYTES) {
            readFirst(ranges);
        }
        return opened;
    }

    /** Who asked for what was read ahead may have gone, and then it stays where it is for ever. */
    private void readFirst(List<ByteRange> ranges) {
        ByteRanges there = content.covered();
        List<ByteRange> first = ranges.stream()
                .map(range -> new ByteRange(
                        Math.min(range.start(), version.length()), Math.min(range.end(), version.length())))
                .flatMap(range -> there.missing(range).stream())
                .toList();
        boolean isThere =
                first.isEmpty() || first.get(0).start() > ranges.get(0).start();
        if (!isThere) {
            drop();
            ahead = 0;
            opened = new CompletableFuture<>();
            open(first);
        } else if (isResting && !first.isEmpty()) {
            wake(); // of what was read ahead, who asks may need too little to make half of it room
        }
    }

    private void wake() {
        isResting = false;
        check();
    }

    /** What was asked of the source is not heard any more. */
    private void drop() {
        stopReading();
        if (last != null) {
            last.bytes().release();
            last = null;
        }
    }

    private void stopReading() {
        closeSource();
        attempt++;
        asked = 0;
    }

    private List<ByteRange> missing() {
        ByteRanges there = content.covered();
        return wanted.list().stream()
                .flatMap(range -> there.missing(range).stream())
                .toList();
    }

    private void open(List<ByteRange> missing) {
        if (missing.isEmpty()) {
            isReading = false;
            whole();
            opened.complete(null);
            return;
        }
        isReading = true;
        isResting = false;
        isAtEnd = false;
        int now = ++attempt;
        if (backend == null) {
            return;
        }
        backend.read(path, version, missing)
                .whenComplete((reading, failure) -> world.execute(() -> {
                    if (now != attempt || isOver) {
                        if (reading != null) {
                            reading.close();
                        }
                    } else if (reading != null) {
                        source = reading;
                        heardNs = world.nanoTime().getAsLong();
                        opened.complete(null);
                        ask();
                    } else {
                        failed(World.failure(failure));
                    }
                }));
    }

    private void ask() {
        if (isResting && ahead <= AHEAD_BYTES / 2) {
            wake();
        }
        Source from = source;
        while (from != null && from == source && !isAtEnd && asked < MOST_ASKED && ahead < AHEAD_BYTES) {
            asked++;
            int now = attempt;
            from.next()
                    .whenComplete((block, failure) -> world.execute(() -> {
                        if (failure == null) {
                            came(now, block);
                        } else if (now == attempt && !isOver) {
                            failed(World.failure(failure));
                        }
                    }));
        }
    }

    private void came(int from, Optional<Block> block) {
        if (from != attempt || isOver) {
            block.ifPresent(each -> each.bytes().release());
        } else if (block.isEmpty()) {
            asked--;
            isAtEnd = true;
            check();
        } else {
            ahead += block.get().bytes().readableBytes();
            Block before = last;
            last = block.get();
            if (before == null) {
                asked--;
                goOn();
            } else {
                write(from, before, this::goOn);
            }
        }
    }

    /** The end may have been told before a block that was asked for earlier has come. */
    private void goOn() {
        if (isAtEnd) {
            check();
        } else {
            ask();
        }
    }

    private void write(int from, Block block, Runnable next) {
        world.onDisk(world.disk(), () -> {
                    try {
                        long at = block.position();
                        for (ByteBuffer part : block.bytes().nioBuffers()) {
                            if (!content.writeOrCompare(at, part)) {
                                throw changed();
                            }
                            at += part.remaining();
                        }
                        return true;
                    } finally {
                        block.bytes().release();
                    }
                })
                .whenComplete((done, failure) -> world.execute(() -> {
                    if (from != attempt || isOver) {
                        return;
                    }
                    asked--;
                    if (failure != null) {
                        failed(World.failure(failure));
                    } else {
                        next.run();
                    }
                }));
    }

    /** The source has given what it can; the last block of that is given away only if the file is seen to be the same. */
    private void check() {
        if (asked > 0 || backend == null) {
            return;
        }
        closeSource();
        int now = ++attempt;
        isAtEnd = false;
        backend.stat(path)
                .whenComplete((entry, failure) -> world.execute(() -> {
                    if (now != attempt || isOver) {
                        return;
                    }
                    Block kept = last;
                    if (entry == null) {
                        failed(World.failure(failure));
                    } else if (isReplaced || !Versions.isSame(entry, version)) {
                        failed(changed());
                    } else if (kept == null) {
                        open(missing());
                    } else {
                        last = null;
                        asked++;
                        write(now, kept, () -> open(missing()));
                    }
                }));
    }

    private BackendException changed() {
        return new BackendException(Code.FAILED, path + ": it was changed while it was read");
    }

    private void whole() {
        if (content.coveredBytes() == version.length() && content.seal().isEmpty()) {
            world.onDisk(world.disk(), () -> content.sealAt(version.length())).whenComplete((seal, failure) -> {
                if (failure != null) {
                    LOG.warn("{}: not sealed: {}", path, failure.getMessage());
                }
            });
        }
    }

    private void closeSource() {
        if (source != null) {
            source.close();
            source = null;
        }
    }

    private void failed(BackendException known) {
        stopReading();
        BackendException failure = opened.isDone() ? heard(known) : known;
        if (failure.code() != Code.UNAVAILABLE || !opened.isDone()) {
            LOG.info("reading of {} came to nothing: {}", path, failure.getMessage());
            boolean told = opened.completeExceptionally(failure);
            // what was served may be all that the front wanted, but of what lasts it is to hear when it asks again
            boolean isUntold = !told && (served == 0 || failure.code() == Code.LASTING);
            end(isUntold ? Optional.of(failure) : Optional.empty());
            return;
        }
        Duration pause = pauses.next();
        LOG.info("reading of {}: again in {} s: {}", path, pause.toSeconds(), failure.getMessage());
        int now = attempt;
        world.after(pause, () -> {
            if (now == attempt && !isOver) {
                check();
            }
        });
    }

    /** Returns the failure, or what it is when nothing more has come for as long as it takes to pass by itself. */
    private BackendException heard(BackendException known) {
        long there = content.coveredBytes();
        if (there > had) {
            had = there;
            pauses.reset();
        }
        return answers.heard(known, there);
    }

    private void endWhenIdle() {
        world.after(Silence.LOOK, () -> {
            if (isOver) {
                return;
            }
            // a front pulls nothing before it is told of something, which may take as long as others use the server
            long silentNs = opened.isDone() ? world.nanoTime().getAsLong() - heardNs : 0;
            if (silentNs >= Silence.ofFetch(isServed()).toNanos()) {
                end(Optional.empty());
                return;
            }
            if (source != null
                    && ahead >= AHEAD_BYTES
                    && silentNs >= Silence.ofReading(source).toNanos()) {
                rest();
            }
            endWhenIdle();
        });
    }

    private void rest() {
        ahead -= last == null ? 0 : last.bytes().readableBytes();
        drop();
        isResting = true;
    }

    /** Whether all was sent, as far as can be told: it need not stay open, or on a full disk. Who has not got it asks again. */
    private boolean isServed() {
        return !isReading && served >= wanted.total();
    }

    /** The front is told, and asks again if it still wants it. */
    private void end(Optional<BackendException> untold) {
        isOver = true;
        drop();
        unlisten.run();
        holder.retract(content.id());
        content.evictable(true);
        content.unpin();
        whenOver.accept(untold);
    }
}
