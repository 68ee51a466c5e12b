package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Files that clients of a front read from other endpoints. What has come is kept for a while: a client that asks again for a
 * file that is still the same has it from here.
 */
final class Downloads {
    private static final String KIND = "download";
    private static final int MOST_COMPARED = 16;
    private static final Duration COMPARING = Duration.ofMinutes(2); // a client waits

    private final World world;
    private final Caller caller;
    private final Mirrors mirrors;
    private final Map<Number128, Download> downloads = new HashMap<>(); // own thread only
    private final Map<Number128, CompletableFuture<Content>> begun = new HashMap<>(); // own thread only

    Downloads(World world, Caller caller, Mirrors mirrors) {
        this.world = world;
        this.caller = caller;
        this.mirrors = mirrors;
    }

    /** Takes up what an earlier process left. */
    void recover() {
        for (Content content : world.store().all()) {
            if (content.note().startsWith(KIND)) {
                content.evictable(true);
            }
        }
    }

    /** Begins to read; may be called by any thread. */
    CompletableFuture<Source> read(String endpoint, Principal user, FilePath path, List<ByteRange> ranges) {
        Call.Fetch call = new Call.Fetch(user, path, ranges);
        CompletableFuture<Source> source = new CompletableFuture<>();
        caller.call(endpoint, call, working -> {})
                .whenComplete((answer, failure) -> world.execute(() -> {
                    if (answer instanceof Answer.Fetched fetched) {
                        begin(endpoint, call, fetched, source);
                    } else if (failure != null) {
                        source.completeExceptionally(World.failure(failure));
                    } else {
                        source.completeExceptionally(new BackendException(
                                Code.FAILED, path + ": expected a content as an answer, found " + answer));
                    }
                }));
        return source;
    }

    private void begin(String endpoint, Call.Fetch call, Answer.Fetched fetched, CompletableFuture<Source> source) {
        Download running = downloads.get(fetched.content());
        if (running != null) {
            source.complete(running.source(clipped(call.ranges(), fetched.entry())));
            return;
        }
        // who asks while it is made ready has the same one
        begun.computeIfAbsent(fetched.content(), id -> content(endpoint, call, fetched))
                .whenComplete((content, failure) -> world.execute(() -> {
                    begun.remove(fetched.content());
                    if (content == null) {
                        source.completeExceptionally(World.failure(failure));
                        return;
                    }
                    Download download = downloads.computeIfAbsent(
                            content.id(),
                            id -> new Download(
                                    world,
                                    mirrors,
                                    content,
                                    new Download.Origin(endpoint, call.user(), call.path(), fetched.entry(), caller),
                                    () -> downloads.remove(id)));
                    source.complete(download.source(clipped(call.ranges(), fetched.entry())));
                }));
    }

    private static List<ByteRange> clipped(List<ByteRange> ranges, Entry entry) {
        ByteRanges clipped = new ByteRanges();
        ranges.forEach(
                range -> clipped.add(Math.min(range.start(), entry.length()), Math.min(range.end(), entry.length())));
        return clipped.list();
    }

    private CompletableFuture<Content> content(String endpoint, Call.Fetch call, Answer.Fetched fetched) {
        return world.onDisk(world.disk(), () -> world.store().findOrCreate(fetched.content(), KIND))
                .thenCompose(content -> {
                    // what came when the file had just been changed may be of another version, which has the same time
                    boolean isDoubtful = content.noted().isBefore(Versions.settled(fetched.entry()));
                    if (!isDoubtful && content.coveredBytes() > 0) {
                        return CompletableFuture.completedFuture(content);
                    }
                    Instant now = world.clock().instant();
                    return isSame(endpoint, call, content)
                            .thenCompose(isSame -> world.onDisk(world.disk(), () -> {
                                if (!isSame) {
                                    content.trim(0);
                                }
                                content.note(now, KIND);
                                return content;
                            }));
                });
    }

    /** Asks for checksums, which cost less than the bytes; where there are none soon, it may be another version. */
    private CompletableFuture<Boolean> isSame(String endpoint, Call.Fetch call, Content content) {
        ByteRanges there = content.covered();
        if (there.count() == 0 || there.count() > MOST_COMPARED) {
            return CompletableFuture.completedFuture(there.count() == 0);
        }
        CompletableFuture<Boolean> isSame = new SameBytes(world, content)
                .in(
                        there,
                        range -> caller.call(
                                        endpoint,
                                        new Call.Checksum(call.user(), call.path(), SameBytes.ALGORITHM, range),
                                        working -> {})
                                .thenApply(answer -> answer instanceof Answer.Digits sum ? sum.digits() : ""));
        world.after(COMPARING, () -> isSame.complete(false));
        return isSame.exceptionally(failure -> false);
    }
}
