package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Files that fronts read from the back end behind this back.
 *
 * <p>A content's number is made of who asks for what and which version it is, so that both ends find what they have
 * when the same is asked for again; who asks is the user, and the login by which the server is asked for the user. A
 * file that was changed just before it was looked at may be changed again without another time: what is here of such a
 * one is read again whenever it is asked for.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class Fetches {
    private static final String KIND = "fetch";
    private static final String SETTLED = KIND + "\nsettled";
    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final int MOST_FAILURES = 1024;

    /** A small file that has not been read by then is told of before it is. */
    private static final Duration READ_SOON = Duration.ofMillis(500);

    private static final String DOUBTFUL = KIND + "\ndoubtful";

    private final World world;
    private final Backends backends;
    private final Holder holder;
    private final byte[] secret;
    private final Changes changes;
    private final Map<Number128, Fetch> fetches = new HashMap<>(); // own thread only
    private final Map<Number128, CompletableFuture<Begun>> begun = new HashMap<>(); // own thread only
    private final Map<Number128, Untold> untold = new LinkedHashMap<>(); // own thread only

    /** A content that is made ready, and whether no front can have anything of it. */
    private record Begun(Content content, boolean isFresh) {}

    /** How a file failed for good when it had been opened, and nothing of it had come, or no more of it would. */
    private record Untold(BackendException failure, long atNs) {}

    /**
     * Takes what it needs.
     *
     * @param secret goes into the numbers, so that nobody can know one who was not told
     * @param changes what was changed through this back, which goes into them, too
     */
    Fetches(World world, Backends backends, Holder holder, byte[] secret, Changes changes) {
        this.world = world;
        this.backends = backends;
        this.holder = holder;
        this.secret = secret.clone();
        this.changes = changes;
        changes.onChange(path -> world.execute(() -> fetches.values().forEach(each -> each.changed(path))));
    }

    /** Takes up what an earlier process left. */
    void recover() {
        for (Content content : world.store().all()) {
            if (content.note().startsWith(KIND)) {
                content.evictable(true);
            }
        }
    }

    /**
     * Begins to read what a front asks for, and tells the front of it as it comes. May be called by any thread.
     *
     * @param age how long the front has been asking for it
     */
    CompletableFuture<Answer> fetch(String from, Call.Fetch call, Duration age) {
        Backend backend;
        try {
            backend = backends.of(call.user());
        } catch (BackendException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long untilNs =
                world.nanoTime().getAsLong() + Caller.SERVER_PATIENCE.minus(age).toNanos();
        tryUntil(untilNs, () -> look(from, call, backend), answer);
        return answer;
    }

    /** A server that is away is waited for as an endpoint is: nobody knows which of the two it is. What it says stands. */
    private void tryUntil(long untilNs, Supplier<CompletableFuture<Answer>> attempt, CompletableFuture<Answer> answer) {
        attempt.get().whenComplete((fetched, failure) -> {
            boolean isInTime = world.nanoTime().getAsLong() + Caller.REPEAT.toNanos() < untilNs;
            if (fetched != null) {
                answer.complete(fetched);
            } else if (isInTime && World.failure(failure).isAway()) {
                world.after(Caller.REPEAT, () -> tryUntil(untilNs, attempt, answer));
            } else {
                answer.completeExceptionally(World.failure(failure));
            }
        });
    }

    private CompletableFuture<Answer> look(String from, Call.Fetch call, Backend backend) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        backend.stat(call.path())
                .whenComplete((entry, failure) -> world.execute(() -> {
                    if (entry == null || entry.type() != Entry.Type.FILE) {
                        answer.completeExceptionally(
                                entry == null ? World.failure(failure) : noFile(call.path(), entry));
                        return;
                    }
                    Number128 id = number(from, call, entry);
                    Untold before = untold.remove(id);
                    if (before != null && world.nanoTime().getAsLong() - before.atNs() < FRESH.toNanos()) {
                        // the front was told that it is being read: trying again would end the same way, for ever
                        answer.completeExceptionally(before.failure());
                        return;
                    }
                    Fetch running = fetches.get(id);
                    if (running != null && running.isReading()) {
                        answer(running.want(from, backend, call.ranges(), true), id, entry, answer);
                        return;
                    }
                    // who asks while it is made ready has the same one
                    begun.computeIfAbsent(id, asked -> world.onDisk(world.disk(), () -> content(asked, entry)))
                            .whenComplete((content, failed) -> world.execute(() -> {
                                begun.remove(id);
                                if (content == null) {
                                    answer.completeExceptionally(World.failure(failed));
                                } else {
                                    answer(begin(from, call, backend, entry, content), id, entry, answer);
                                }
                            }));
                }));
        return answer;
    }

    /** Where servers tell no length of a directory it would be an empty file. */
    private static BackendException noFile(FilePath path, Entry entry) {
        return entry.isDirectory()
                ? new BackendException(Code.IS_A_DIRECTORY, path + ": Is a directory")
                : new BackendException(Code.DENIED, path + ": Permission denied: it is no file");
    }

    private static void answer(
            CompletableFuture<Void> opened, Number128 id, Entry entry, CompletableFuture<Answer> answer) {
        opened.whenComplete((done, failure) -> {
            if (failure == null) {
                answer.complete(new Answer.Fetched(id, entry));
            } else {
                answer.completeExceptionally(World.failure(failure));
            }
        });
    }

    private CompletableFuture<Void> begin(String from, Call.Fetch call, Backend backend, Entry entry, Begun made) {
        Content content = made.content();
        Fetch fetch = fetches.computeIfAbsent(
                content.id(),
                id -> new Fetch(world, holder, content, call.path(), entry, failure -> over(id, failure)));
        boolean isPushed = made.isFresh()
                && entry.length() <= Holder.PUSHED_BYTES
                && ByteRanges.of(call.ranges()).contains(new ByteRange(0, entry.length()));
        CompletableFuture<Void> opened = fetch.want(from, backend, call.ranges(), !isPushed);
        return isPushed ? opened.thenCompose(done -> pushed(from, content)) : opened;
    }

    /** Sends a small file ahead of the answer, so that the front need not pull it. */
    private CompletableFuture<Void> pushed(String to, Content content) {
        CompletableFuture<Void> read = new CompletableFuture<>();
        Runnable unlisten = content.onGrowth(() -> {
            if (content.isComplete()) {
                read.complete(null);
            }
        });
        world.after(READ_SOON, () -> read.complete(null));
        if (content.isComplete()) {
            read.complete(null);
        }
        CompletableFuture<Void> pushed = new CompletableFuture<>();
        read.whenComplete((done, failure) -> world.execute(() -> {
            unlisten.run();
            if (fetches.containsKey(content.id())) {
                holder.push(content, to, content).thenRun(() -> pushed.complete(null));
            } else {
                // it came to nothing: the front hears of that when it pulls
                pushed.complete(null);
            }
        }));
        return pushed;
    }

    private void over(Number128 id, Optional<BackendException> failure) {
        fetches.remove(id);
        failure.ifPresent(known -> {
            untold.put(id, new Untold(known, world.nanoTime().getAsLong()));
            if (untold.size() > MOST_FAILURES) {
                untold.remove(untold.keySet().iterator().next());
            }
        });
    }

    private Begun content(Number128 id, Entry entry) {
        boolean isFresh = world.store().find(id).isEmpty();
        Content content = world.store().findOrCreate(id, isSettled(entry) ? SETTLED : DOUBTFUL);
        if (content.note().equals(DOUBTFUL) && content.coveredBytes() > 0) {
            content.trim(0);
        }
        return new Begun(content, isFresh);
    }

    private boolean isSettled(Entry entry) {
        return Versions.settled(entry).isBefore(world.clock().instant());
    }

    private Number128 number(String from, Call.Fetch call, Entry entry) {
        Principal user = call.user();
        String version = String.join(
                "\n",
                from,
                user.name(),
                String.valueOf(user.isAnonymous()),
                backends.login(user),
                call.path().toString(),
                String.valueOf(entry.length()),
                entry.modified().toString(),
                entry.unix().map(Entry.Unix::unique).orElse(""),
                entry.unix().flatMap(Entry.Unix::changed).map(Instant::toString).orElse(""),
                changes.of(call.path()));
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(secret);
            ByteBuffer bytes = ByteBuffer.wrap(digest.digest(version.getBytes(StandardCharsets.UTF_8)));
            return new Number128(bytes.getLong(), bytes.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks SHA-256", e);
        }
    }
}
