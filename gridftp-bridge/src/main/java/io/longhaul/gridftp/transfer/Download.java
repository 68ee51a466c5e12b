package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Mirror;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One version of a file that comes from another endpoint, and the clients that read it. When nothing comes although somebody
 * waits, the back is asked again for what is missing: it may have been started again. Goes on for ever, unless the file is
 * another by then, or the back says that it will not come.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class Download implements Mirror.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Download.class);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final World world;
    private final Content content;
    private final Origin origin;
    private final Mirror mirror;
    private final Runnable whenOver;
    private final Runnable unlisten;
    private final AtomicBoolean grown = new AtomicBoolean();
    private final List<RemoteSource> sources = new ArrayList<>();
    private CompletableFuture<Answer> call = CompletableFuture.completedFuture(new Answer.Done());
    private @Nullable BackendException failure;
    private long grownNs;
    private boolean isOver;

    /**
     * Where the bytes come from.
     *
     * @param version what the file was when it was looked at
     */
    record Origin(String endpoint, Principal user, FilePath path, Entry version, Caller caller) {}

    Download(World world, Mirrors mirrors, Content content, Origin origin, Runnable whenOver) {
        this.world = world;
        this.content = content;
        this.origin = origin;
        this.whenOver = whenOver;
        this.grownNs = world.nanoTime().getAsLong();
        this.mirror = mirrors.open(content, origin.endpoint(), this);
        this.unlisten = content.onGrowth(() -> {
            if (grown.compareAndSet(false, true)) {
                world.execute(this::grown);
            }
        });
        watch();
    }

    World world() {
        return world;
    }

    Content content() {
        return content;
    }

    RemoteSource source(List<ByteRange> ranges) {
        RemoteSource source = new RemoteSource(this, ranges);
        sources.add(source);
        source.begin();
        return source;
    }

    /** Pulls what a client will want soon. */
    void want(ByteRange range) {
        mirror.want(range);
    }

    @Nullable
    BackendException failure() {
        return failure;
    }

    void forget(RemoteSource source) {
        sources.remove(source);
        if (sources.isEmpty() && !isOver) {
            isOver = true;
            call.cancel(false);
            unlisten.run();
            mirror.close();
            world.onDisk(world.disk(), () -> {
                        content.record();
                        return true;
                    })
                    .whenComplete((done, notDone) -> content.evictable(true));
            whenOver.run();
        }
    }

    private void grown() {
        grown.set(false);
        grownNs = world.nanoTime().getAsLong();
        List.copyOf(sources).forEach(RemoteSource::serve);
    }

    private void watch() {
        world.after(SILENCE, () -> {
            if (isOver) {
                return;
            }
            boolean waits = sources.stream().anyMatch(RemoteSource::isWaiting);
            if (waits && world.nanoTime().getAsLong() - grownNs >= SILENCE.toNanos()) {
                fetchAgain();
            }
            watch();
        });
    }

    private void fetchAgain() {
        if (isOver || failure != null || !call.isDone()) {
            return;
        }
        ByteRanges there = content.covered();
        ByteRanges missing = new ByteRanges();
        sources.forEach(source -> source.left().stream()
                .flatMap(range -> there.missing(range).stream())
                .forEach(range -> missing.add(range.start(), range.end())));
        if (missing.count() == 0) {
            return;
        }
        call = origin.caller()
                .callForEver(
                        origin.endpoint(), new Call.Fetch(origin.user(), origin.path(), missing.list()), working -> {});
        CompletableFuture<Answer> asked = call;
        asked.whenComplete((answer, failed) -> world.execute(() -> {
            if (isOver) {
                return;
            }
            if (failed != null) {
                BackendException known = World.failure(failed);
                LOG.info("download of {}: {}", origin.path(), known.getMessage());
                if (known.code() != Code.UNAVAILABLE) {
                    fail(known);
                }
            } else if (!(answer instanceof Answer.Fetched fetched)
                    || !fetched.content().equals(content.id())) {
                fail(new BackendException(Code.FAILED, origin.path() + ": it was changed while it was read"));
            }
        }));
    }

    private void fail(BackendException known) {
        failure = known;
        List.copyOf(sources).forEach(RemoteSource::serve);
    }

    @Override
    public void unknown() {
        world.execute(this::fetchAgain);
    }

    @Override
    public void failed(StorageException known) {
        world.execute(() -> fail(world.told(known)));
    }
}
