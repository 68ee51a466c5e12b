package io.longhaul.gridftp.topic;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes files that are whole, and goes on after a restart with those that had not ended. Thread-safe.
 *
 * <p>A file's record says how far it is: without a transfer, or with one that the agent's ledger does not know, it is still
 * to be published; of others the ledger knows the rest. A transfer that goes on is found by its source, which is the file's
 * alone: so a crash anywhere publishes it once, unless everybody has it before its record is written.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
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
        for (PublishedFile file : new ArrayList<>(files)) {
            if (file.state() != State.WAITING) {
                shelf.over(file);
                continue;
            }
            Publication publication = unfinished.get(file.transfer());
            if (publication != null) {
                Delivery delivery = new Delivery(file, world);
                running.put(file.id(), delivery);
                follow(delivery, publication);
            } else if (agent.hasEnded(file.transfer())) {
                // and the process before its record was written
                over(new Delivery(file, world), State.OVER);
            } else {
                // the agent notes a transfer after it has said its name: one it does not know has sent nothing
                start(file, Optional.empty());
            }
        }
    }

    /** Returns the delivery of a file that has not ended. */
    Optional<Delivery> find(PublishedFile file) {
        return Optional.ofNullable(running.get(file.id()));
    }

    /**
     * Publishes a file, after those of its path that came before.
     *
     * @param quorum that the topic must be able to fulfil; empty when nobody waits for it
     */
    Delivery start(PublishedFile file, Optional<Quorum> quorum) {
        Delivery delivery = new Delivery(file, world);
        running.put(file.id(), delivery);
        unpublished.incrementAndGet();
        turns.run(file.path(), () -> {
                    CompletableFuture<Void> begun = new CompletableFuture<>();
                    beginning.execute(() -> begin(delivery, quorum, begun));
                    return begun;
                })
                .whenComplete((begun, failure) -> unpublished.decrementAndGet());
        return delivery;
    }

    private void begin(Delivery delivery, Optional<Quorum> quorum, CompletableFuture<Void> begun) {
        PublishedFile file = delivery.file();
        boolean isOver = true;
        try {
            Collection<String> subscriptions = subscriptions(file.path(), quorum);
            PublishRequest request = PublishRequest.of(shelf.place(Shelf.stored(file)), file.topic())
                    .withName(file.name())
                    .withReceipts(subscriptions.size());
            Publication publication = agent.publish(request);
            record(delivery, publication, List.copyOf(subscriptions));
            follow(delivery, publication);
        } catch (AgentException e) {
            if (e.code() == AgentException.Code.UNREACHABLE) {
                world.delay().call(RETRY, () -> beginning.execute(() -> begin(delivery, quorum, begun)));
                isOver = false;
            } else {
                failed(delivery, Refusals.of(file.path(), e), e.code() == AgentException.Code.INTERRUPTED);
            }
        } catch (RuntimeException | Error e) {
            failed(delivery, Refusals.of(file.path(), e), false);
        } finally {
            if (isOver) {
                // whatever was thrown: the next file of the path waits for it
                begun.complete(null);
            }
        }
    }

    private void record(Delivery delivery, Publication publication, List<String> subscriptions) {
        try {
            shelf.show(delivery.change(known -> known.published(publication.transfer(), subscriptions), records::put));
        } catch (BackendException e) {
            // the client is told that it failed
            publication.cancel();
            throw e;
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
                .whenComplete((result, failure) -> world.workers()
                        .execute(() -> ended(delivery, Optional.ofNullable(result), Optional.ofNullable(failure))));
    }

    private void ended(Delivery delivery, Optional<PublicationResult> result, Optional<Throwable> failure) {
        if (result.isPresent()) {
            try {
                over(delivery, State.DELIVERED);
                delivery.delivered(result.get().receipts());
            } finally {
                running.remove(delivery.file().id());
            }
            return;
        }
        Throwable why = failure.map(e -> e instanceof CompletionException && e.getCause() != null ? e.getCause() : e)
                .orElseThrow();
        boolean goesOn = why instanceof AgentException known && known.code() == AgentException.Code.INTERRUPTED;
        failed(delivery, Refusals.of(delivery.file().path(), why), goesOn);
    }

    /**
     * It has ended without all receipts.
     *
     * @param goesOn whether the next process goes on with it
     */
    private void failed(Delivery delivery, BackendException why, boolean goesOn) {
        PublishedFile file = delivery.file();
        delivery.failed(why);
        if (goesOn) {
            return;
        }
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
