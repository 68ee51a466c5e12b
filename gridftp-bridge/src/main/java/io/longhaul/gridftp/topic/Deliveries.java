package io.longhaul.gridftp.topic;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.TransferEnd;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.thread.AtMost;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes files that are whole, and goes on after a restart with those that had not ended. Thread-safe.
 *
 * <p>A file's record says how far it is: without a transfer, or with one that the agent's ledger does not know, it is still
 * to be published; of others the ledger knows the rest. A transfer that goes on is found by its source, which is the file's
 * alone: so a crash anywhere publishes it once.
 *
 * <p>A file that no client waits for any more has nobody who would send it again: it is tried again whatever the trouble is,
 * for as long as something may still come of it. One whose client waits is refused, unless the broker is away.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);
    private static final int MOST_BEGINNING = 16;

    private final Agent agent;
    private final Records records;
    private final Shelf shelf;
    private final World world;
    private final Turns turns = new Turns();
    private final AtMost beginning; // each waits for the broker, and as many as there are files would
    private final int most;
    private final AtomicInteger unpublished = new AtomicInteger();
    private final Map<String, Delivery> running = new ConcurrentHashMap<>(); // by id of the file

    /**
     * Takes what it needs.
     *
     * @param most files that may wait to be published
     */
    Deliveries(Agent agent, Records records, Shelf shelf, World world, int most) {
        this.agent = agent;
        this.records = records;
        this.shelf = shelf;
        this.world = world;
        this.beginning = new AtMost(MOST_BEGINNING, world.workers());
        this.most = most;
    }

    /** Refuses a file when too many wait already. */
    void checkRoom(FilePath path) {
        if (unpublished.get() >= most) {
            throw new BackendException(
                    Code.UNAVAILABLE,
                    path + ": " + most + " files wait for the broker already: Resource temporarily unavailable");
        }
    }

    /** Goes on with what an earlier process left; waits for the ledger. */
    void resume(Collection<PublishedFile> files) {
        Map<String, Publication> unfinished = agent.resumePublications().stream()
                .collect(Collectors.toMap(Publication::transfer, Function.identity(), (one, same) -> one));
        List<Delivery> unsent = new ArrayList<>();
        for (PublishedFile file : new ArrayList<>(files)) {
            if (file.state() != State.WAITING) {
                shelf.over(file);
                continue;
            }
            Delivery delivery = new Delivery(file, world);
            delivery.goOn();
            Publication publication = unfinished.get(file.transfer());
            Optional<TransferEnd> end = publication == null ? agent.endOf(file.transfer()) : Optional.empty();
            if (publication != null) {
                running.put(file.id(), delivery);
                follow(delivery, publication);
            } else if (end.isPresent()) {
                // and the process before its record was written
                if (end.get() == TransferEnd.FAILED) {
                    LOG.warn("{}: transfer {} had failed; some may have it", file.path(), file.transfer());
                }
                // some of those that it was sent to may have been removed, so that it ended without them
                over(delivery, State.OVER);
            } else {
                // the agent notes a transfer after it has said its name: one it does not know has sent nothing
                unsent.add(delivery);
            }
        }
        // when it is known which newer ones have gone out
        unsent.forEach(delivery -> publish(delivery, Optional.empty()));
    }

    /** Returns the delivery of a file that has not ended. */
    Optional<Delivery> find(PublishedFile file) {
        return Optional.ofNullable(running.get(file.id()));
    }

    /**
     * Publishes a file, after those of its path that came before.
     *
     * @param quorum that the topic must be able to fulfil for as long as a client waits
     */
    Delivery start(PublishedFile file, Quorum quorum) {
        Delivery delivery = new Delivery(file, world);
        publish(delivery, Optional.of(quorum));
        return delivery;
    }

    private void publish(Delivery delivery, Optional<Quorum> quorum) {
        running.put(delivery.file().id(), delivery);
        unpublished.incrementAndGet();
        turns.run(delivery.file().path(), () -> {
                    CompletableFuture<Void> begun = new CompletableFuture<>();
                    soon(beginning, () -> begin(delivery, quorum, begun));
                    return begun;
                })
                .whenComplete((begun, failure) -> unpublished.decrementAndGet());
    }

    private void begin(Delivery delivery, Optional<Quorum> quorum, CompletableFuture<Void> begun) {
        PublishedFile file = delivery.file();
        boolean isOver = true;
        try {
            if (isBehindANewer(delivery)) {
                return;
            }
            Collection<String> subscriptions = wanted(delivery, quorum);
            PublishRequest request = PublishRequest.of(shelf.place(Shelf.stored(file)), file.topic())
                    .withName(file.name())
                    .withReceiptsOf(subscriptions);
            Publication publication = agent.publish(request);
            record(delivery, publication, List.copyOf(subscriptions));
            follow(delivery, publication);
        } catch (RuntimeException | Error e) {
            if (goesOn(delivery, e)) {
                later(delivery, e, () -> soon(beginning, () -> begin(delivery, quorum, begun)));
                isOver = false;
            } else {
                failed(delivery, shelf.refusal(file, e));
            }
        } finally {
            if (isOver) {
                // whatever was thrown: the next file of the path waits for it
                begun.complete(null);
            }
        }
    }

    /**
     * Returns whether a newer file of the path goes out or has gone out: sent from its beginning, this one would take its
     * place. As long as the newer one may still come to nothing it is tried again.
     */
    private boolean isBehindANewer(Delivery delivery) {
        PublishedFile file = delivery.file();
        if (isKept(file.transfer())) {
            return false;
        }
        BackendException why =
                new BackendException(Code.FAILED, file.path() + ": a newer file of this path goes out already");
        List<Delivery> newer = running.values().stream()
                .filter(other -> other.file().isNewer(file))
                .toList();
        if (shelf.isReplaced(file) || newer.stream().anyMatch(other -> other.count() > 0)) {
            failed(delivery, why);
        } else if (newer.stream().anyMatch(other -> !other.file().transfer().isEmpty())) {
            later(delivery, why, () -> publish(delivery, Optional.empty()));
        } else {
            return false;
        }
        return true;
    }

    /** Returns who is to have it; throws when there are too few, or nobody whose answer could come. */
    private Collection<String> wanted(Delivery delivery, Optional<Quorum> quorum) {
        PublishedFile file = delivery.file();
        if (!delivery.isSafe()) {
            // a client whose call has just begun may not wait yet
            boolean isAsked = delivery.isAwaited() || !delivery.goesOn();
            return subscriptions(file.path(), isAsked ? quorum : Optional.empty());
        }
        Collection<String> wanted = delivery.stillWanted(agent.subscriptions(file.topic()));
        if (wanted.size() <= delivery.answered()) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    delivery.answered() + " of " + file.sentTo().size()
                            + " receipts came, and the other subscriptions are gone");
        }
        return wanted;
    }

    private void record(Delivery delivery, Publication publication, List<String> subscriptions) {
        // without a client that could be told, what goes out is followed all the same
        Consumer<PublishedFile> write = delivery.goesOn() ? this::write : records::put;
        try {
            shelf.show(delivery.change(known -> known.published(publication.transfer(), subscriptions), write));
        } catch (BackendException e) {
            // the client is told that it failed
            publication.cancel();
            throw e;
        }
    }

    /** Says whether a file that met trouble is tried again; who waits for it while its agent ends is told of that. */
    private boolean goesOn(Delivery delivery, Throwable why) {
        if (isOf(why, AgentException.Code.UNREACHABLE)) {
            delivery.goOn();
        } else if (isOf(why, AgentException.Code.INTERRUPTED)) {
            delivery.interrupted(shelf.refusal(delivery.file(), why));
        }
        return delivery.goesOn() && !isFinal(delivery, why);
    }

    /** Whether trying again is of no use: the file is gone or its name is refused, or no more answers will come. */
    private boolean isFinal(Delivery delivery, Throwable why) {
        PublishedFile file = delivery.file();
        if (isKept(file.transfer())) {
            return delivery.isSafe() && isOf(why, AgentException.Code.REFUSED) && !isWanted(delivery);
        }
        return isOf(why, AgentException.Code.USAGE) || delivery.answered() > 0 || !shelf.has(file);
    }

    /** Returns whether an answer may still come to what the network has, as long as nobody knows better. */
    private boolean isWanted(Delivery delivery) {
        try {
            return delivery.stillWanted(agent.subscriptions(delivery.file().topic()))
                            .size()
                    > delivery.answered();
        } catch (AgentException e) {
            return true;
        }
    }

    /** Returns whether the agent goes on with a transfer when the same is published. */
    private boolean isKept(String transfer) {
        try {
            return !transfer.isEmpty() && agent.publication(transfer).isPresent();
        } catch (AgentException e) {
            // nobody knows at the moment
            return true;
        }
    }

    private static boolean isOf(Throwable why, AgentException.Code code) {
        return why instanceof AgentException known && known.code() == code;
    }

    private void later(Delivery delivery, Throwable why, Runnable again) {
        boolean isOut = isOf(why, AgentException.Code.UNREACHABLE);
        Duration pause = isOut ? RETRY : delivery.pause(RETRY, LONGEST_RETRY);
        if (!isOut && pause.equals(RETRY)) {
            LOG.warn("{} is tried again until it works: {}", delivery.file().path(), why.getMessage());
        }
        world.delay().call(pause, again);
    }

    /** Does something as soon as there is a thread for it. */
    private void soon(Executor where, Runnable action) {
        try {
            where.execute(action);
        } catch (RejectedExecutionException e) {
            // it closes: the next process goes on
        } catch (RuntimeException | Error e) {
            LOG.warn("published files wait for a thread: {}", e.getMessage());
            world.delay().call(RETRY, () -> soon(where, action));
        }
    }

    /**
     * Returns the subscriptions of a path's topic; waits for the broker. Throws when there are none, or fewer than must
     * have the file.
     */
    Collection<String> subscriptions(FilePath path, Optional<Quorum> quorum) {
        String topic = TopicPath.topic(path);
        Collection<String> found = new TreeSet<>(agent.subscriptions(topic));
        if (found.isEmpty()) {
            throw new BackendException(Code.UNAVAILABLE, path + ": nobody subscribes to topic " + topic);
        }
        int wanted = quorum.map(each -> each.of(found.size())).orElse(1);
        if (wanted > found.size()) {
            throw new BackendException(
                    Code.UNAVAILABLE,
                    path + ": expected receipts of " + wanted + " subscriptions of topic " + topic + ", found "
                            + found.size() + ": " + String.join(", ", found));
        }
        return found;
    }

    private void follow(Delivery delivery, Publication publication) {
        delivery.began(publication);
        publication.spooled().thenRun(() -> shelf.safe(delivery.file()));
        publication
                .result()
                .whenComplete((result, failure) -> soon(
                        world.workers(),
                        () -> ended(delivery, Optional.ofNullable(result), Optional.ofNullable(failure))));
    }

    private void ended(Delivery delivery, Optional<PublicationResult> result, Optional<Throwable> failure) {
        if (result.isPresent()) {
            try {
                over(delivery, delivery.take(result.get().receipts()) ? State.DELIVERED : State.OVER);
                delivery.delivered();
            } finally {
                running.remove(delivery.file().id());
            }
            return;
        }
        Throwable why = BackendException.cause(failure.orElseThrow());
        if (goesOn(delivery, why)) {
            if (!isKept(delivery.file().transfer())) {
                // a later process would take the transfer for the end of it
                shelf.show(delivery.anew(this::write));
            }
            later(delivery, why, () -> publish(delivery, Optional.empty()));
        } else {
            failed(delivery, shelf.refusal(delivery.file(), why));
        }
    }

    /** It has ended without all receipts. */
    private void failed(Delivery delivery, BackendException why) {
        PublishedFile file = delivery.file();
        delivery.failed(why);
        LOG.warn("{}", why.getMessage());
        try {
            forget(file.transfer());
            if (delivery.count() > 0) {
                over(delivery, State.OVER);
            } else {
                shelf.drop(file);
            }
        } finally {
            // last: a client that comes meanwhile with the same bytes is told of the failure
            running.remove(file.id());
        }
    }

    /** An unfinished transfer whose bytes go must not be tried again. */
    private void forget(String transfer) {
        try {
            if (!transfer.isEmpty()) {
                agent.publication(transfer).ifPresent(Publication::cancel);
            }
        } catch (AgentException e) {
            LOG.debug("transfer {} stays", transfer, e);
        }
    }

    private void over(Delivery delivery, State state) {
        PublishedFile file = delivery.change(known -> known.withState(state), this::write);
        shelf.show(file);
        shelf.over(file);
    }

    /** A client was told that a file is stored: the next one of the same bytes is a new one. */
    void told(Delivery delivery) {
        shelf.show(delivery.change(PublishedFile::told, this::write));
    }

    /** What is not written is done again after a restart, which is harmless. */
    private void write(PublishedFile file) {
        try {
            records.put(file);
        } catch (BackendException e) {
            LOG.warn("record {}: {}", file.id(), e.getMessage());
        }
    }
}
