package io.longhaul.gridftp.topic;

import io.longhaul.agent.Publication;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One published file on its way, and the clients that wait until enough subscriptions have it. It goes on without them.
 * Thread-safe; futures complete outside of its lock.
 */
final class Delivery {
    private static final Duration TICK = Duration.ofSeconds(1);

    private final World world;
    private final Object recording = new Object();
    private final List<Waiting> waiting = new ArrayList<>(); // guarded by this
    private final Map<String, Receipt> receipts = new LinkedHashMap<>(); // by subscription; guarded by this
    private PublishedFile file; // guarded by this
    private @Nullable Publication publication; // guarded by this
    private @Nullable BackendException failure; // guarded by this
    private boolean over; // guarded by this
    private boolean whole; // guarded by this: all have it
    private boolean ticks; // guarded by this
    private boolean goesOn; // guarded by this
    private Duration pause = Duration.ZERO; // guarded by this
    private long safeBytes; // guarded by this

    /** A client that waits. */
    private record Waiting(
            Quorum quorum, Runnable moved, Duration patience, long sinceNs, CompletableFuture<Void> done) {}

    /** What a client is told. */
    private record Word(Waiting waiting, Optional<BackendException> refusal) {
        void say() {
            if (refusal.isPresent()) {
                waiting.done().completeExceptionally(refusal.get());
            } else {
                waiting.done().complete(null);
            }
        }
    }

    Delivery(PublishedFile file, World world) {
        this.file = file;
        this.world = world;
    }

    /** Returns one of a file that all have had before. */
    static Delivery over(PublishedFile file, World world) {
        Delivery delivery = new Delivery(file, world);
        delivery.over = true;
        delivery.whole = true;
        return delivery;
    }

    synchronized PublishedFile file() {
        return file;
    }

    /** Changes what is known of the file, and writes it down; waits for whoever does the same. */
    PublishedFile change(UnaryOperator<PublishedFile> change, Consumer<PublishedFile> write) {
        synchronized (recording) {
            PublishedFile changed = change.apply(file());
            write.accept(changed);
            synchronized (this) {
                file = changed;
            }
            return changed;
        }
    }

    /** Returns whether nothing more will come, and not all have it. */
    synchronized boolean isLost() {
        return over && !whole;
    }

    /** It goes on whoever waits for it, since its client may have left: the bytes are here only. */
    synchronized void goOn() {
        goesOn = true;
    }

    synchronized boolean goesOn() {
        return goesOn;
    }

    synchronized boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /** What was sent of it came to nothing: it is published anew, also after a restart. */
    PublishedFile anew(Consumer<PublishedFile> write) {
        synchronized (this) {
            publication = null;
        }
        return change(known -> known.published("", List.of()), write);
    }

    /** Returns whether the network has all of it. */
    synchronized boolean isSafe() {
        return publication != null
                && publication.spooled().isDone()
                && !publication.spooled().isCompletedExceptionally();
    }

    /** Returns who has answered, and who may: it was sent to nobody who has subscribed since. */
    synchronized Collection<String> stillWanted(Collection<String> subscriptions) {
        Collection<String> wanted = new TreeSet<>(subscriptions);
        wanted.retainAll(file.sentTo());
        wanted.addAll(receipts.keySet());
        return wanted;
    }

    /** Returns how many subscriptions have answered, whatever they say. */
    synchronized int answered() {
        return receipts.size();
    }

    /** Returns how long to wait before it is tried again: twice as long each time. */
    synchronized Duration pause(Duration first, Duration longest) {
        Duration longer = pause.multipliedBy(2);
        pause = pause.isZero() ? first : longer.compareTo(longest) > 0 ? longest : longer;
        return pause;
    }

    /** It is published, or goes on after a restart. */
    void began(Publication begun) {
        synchronized (this) {
            publication = begun;
        }
        begun.onReceipt(this::look);
        look();
    }

    /** Takes the receipts that ended it; returns whether all have it that it was sent to. */
    synchronized boolean take(List<Receipt> all) {
        all.forEach(receipt -> receipts.put(receipt.subscription(), receipt));
        return good().containsAll(file.sentTo());
    }

    /** No more receipts will come. */
    void delivered() {
        synchronized (this) {
            over = true;
            whole = good().containsAll(file.sentTo());
        }
        look();
    }

    /** Nothing more will come. */
    void failed(BackendException why) {
        synchronized (this) {
            over = true;
            failure = why;
        }
        look();
    }

    /** Who waits need not wait any longer; it goes on. */
    void interrupted(BackendException why) {
        List<Waiting> left;
        synchronized (this) {
            left = List.copyOf(waiting);
            waiting.clear();
            goesOn = true;
        }
        left.forEach(each -> each.done().completeExceptionally(why));
    }

    /** Returns how many subscriptions have it. */
    synchronized int count() {
        return (int) receipts.values().stream().filter(Delivery::isGood).count();
    }

    private static boolean isGood(Receipt receipt) {
        return receipt.outcome() != Receipt.Outcome.FAILED;
    }

    /**
     * Waits until enough subscriptions have it.
     *
     * @param moved called on any thread after something has moved: bytes into the network, or a receipt
     * @param patience after which the future fails and the delivery goes on
     */
    CompletableFuture<Void> await(Quorum quorum, Runnable moved, Duration patience) {
        long now = world.nanoTime().getAsLong();
        Waiting mine = new Waiting(quorum, moved, patience, now, new CompletableFuture<>());
        boolean start;
        synchronized (this) {
            waiting.add(mine);
            start = !ticks;
            ticks = true;
        }
        look();
        if (start) {
            world.delay().call(TICK, this::tick);
        }
        return mine.done();
    }

    private void tick() {
        look();
        long now = world.nanoTime().getAsLong();
        List<Word> words = new ArrayList<>();
        List<Waiting> moved = List.of();
        synchronized (this) {
            for (Waiting each : List.copyOf(waiting)) {
                if (now - each.sinceNs() >= each.patience().toNanos()) {
                    waiting.remove(each);
                    words.add(new Word(each, Optional.of(impatience(each))));
                    goesOn = true;
                }
            }
            long safe = publication == null ? 0 : publication.progress().safeBytes();
            if (safe != safeBytes) {
                moved = List.copyOf(waiting);
            }
            safeBytes = safe;
            ticks = !waiting.isEmpty();
            if (ticks) {
                world.delay().call(TICK, this::tick);
            }
        }
        words.forEach(Word::say);
        moved.forEach(each -> each.moved().run());
    }

    private BackendException impatience(Waiting each) {
        String expected = file.sentTo().isEmpty() ? each.quorum().toString() : Integer.toString(wanted(each.quorum()));
        return failure(have(each.quorum()) + " of " + expected + " receipts came within "
                + each.patience().toSeconds() + " s" + names(", from ", good()) + names("; still to come: ", open())
                + "; the delivery goes on");
    }

    /** Counts what is in, and tells those who need not wait any longer. */
    private void look() {
        List<Word> words = new ArrayList<>();
        List<Waiting> moved = List.of();
        synchronized (this) {
            int before = receipts.size();
            if (publication != null) {
                publication.receipts().forEach(receipt -> receipts.put(receipt.subscription(), receipt));
            }
            for (Waiting each : List.copyOf(waiting)) {
                word(each).ifPresent(words::add);
            }
            words.forEach(word -> waiting.remove(word.waiting()));
            goesOn |= !words.isEmpty();
            if (receipts.size() > before) {
                moved = List.copyOf(waiting);
            }
        }
        words.forEach(Word::say);
        moved.forEach(each -> each.moved().run());
    }

    private Optional<Word> word(Waiting each) {
        if (publication == null && !over) {
            return Optional.empty();
        }
        int wanted = wanted(each.quorum());
        int have = have(each.quorum());
        if (whole ? wanted <= Math.max(1, file.sentTo().size()) : have >= wanted) {
            return Optional.of(new Word(each, Optional.empty()));
        }
        List<Receipt> bad = receipts.values().stream().filter(r -> !isGood(r)).toList();
        if (!over && have + open().size() >= wanted) {
            return Optional.empty();
        }
        if (failure != null && bad.isEmpty()) {
            return Optional.of(new Word(each, Optional.of(failure)));
        }
        String refusals = bad.stream()
                .map(r -> "subscription " + r.subscription() + " of agent " + r.agent() + " failed: "
                        + Names.shown(r.reason()))
                .collect(Collectors.joining("; "));
        String reason = have + " of " + wanted + " receipts" + names(" came, from ", good())
                + (refusals.isEmpty() ? "; the topic has " + file.sentTo().size() + " subscriptions" : "; " + refusals)
                + (over && failure == null ? names("; did not come: ", open()) : "");
        return Optional.of(new Word(each, Optional.of(new BackendException(Code.FAILED, prefix() + reason))));
    }

    private int wanted(Quorum quorum) {
        return quorum.of(Math.max(1, file.sentTo().size()));
    }

    /** Where all are wanted, one that has subscribed since does not stand for one that it was sent to. */
    private int have(Quorum quorum) {
        Collection<String> good = good();
        return (int) (quorum.equals(Quorum.ALL) ? file.sentTo() : good)
                .stream().filter(good::contains).count();
    }

    private Collection<String> good() {
        return receipts.values().stream()
                .filter(Delivery::isGood)
                .map(Receipt::subscription)
                .toList();
    }

    private Collection<String> open() {
        TreeSet<String> open = new TreeSet<>(file.sentTo());
        open.removeAll(receipts.keySet());
        return open;
    }

    private static String names(String before, Collection<String> names) {
        return names.isEmpty() ? "" : before + String.join(", ", names);
    }

    private String prefix() {
        return file.path() + ": topic " + file.topic() + ": ";
    }

    private BackendException failure(String reason) {
        return new BackendException(Code.UNAVAILABLE, prefix() + reason);
    }
}
