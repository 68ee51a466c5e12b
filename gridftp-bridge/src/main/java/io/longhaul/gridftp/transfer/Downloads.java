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
        begun.computeIfAbsent(fetched.content(), id -> world.onDisk(world.disk(), () -> content(fetched)))
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

    private Content content(Answer.Fetched fetched) {
        Instant now = world.clock().instant();
        Content content = world.store().findOrCreate(fetched.content(), KIND);
        // what came when the file had just been changed may be of another version, which has the same time
        boolean isDoubtful =
                content.noted().isBefore(Versions.settled(fetched.entry().modified()));
        if (isDoubtful && content.coveredBytes() > 0) {
            content.trim(0);
        }
        if (isDoubtful || content.coveredBytes() == 0) {
            content.note(now, KIND);
        }
        return content;
    }
}
