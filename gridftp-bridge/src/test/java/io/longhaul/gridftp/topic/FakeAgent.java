package io.longhaul.gridftp.topic;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.PublishedSource;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.agent.TransferEnd;
import io.longhaul.gridftp.Patience;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An agent whose subscribers answer when the test says so. */
final class FakeAgent implements Agent {
    /** Subscriptions of every topic but {@code nobodys}. */
    final Set<String> subscriptions = new TreeSet<>(Set.of("a", "b"));

    final List<FakePublication> published = new CopyOnWriteArrayList<>();
    final List<Publication> unfinished = new CopyOnWriteArrayList<>();
    final Map<String, TransferEnd> ended = new TreeMap<>();
    volatile boolean isOut;

    /** What questions wait for. */
    volatile CompletableFuture<Void> answering = CompletableFuture.completedFuture(null);

    /** Questions that wait. */
    final AtomicInteger asking = new AtomicInteger();

    /** Of them at a time. */
    final AtomicInteger mostAsking = new AtomicInteger();

    /** What the next publication fails with. */
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    private int number;

    /** A publication that the test ends. */
    static final class FakePublication implements Publication {
        final PublishRequest request;
        final CompletableFuture<PublicationResult> result = new CompletableFuture<>();
        final CompletableFuture<Void> spooled = new CompletableFuture<>();
        private final TransferId transfer;
        private final List<Receipt> receipts;
        private final List<Runnable> actions = new CopyOnWriteArrayList<>();
        volatile long safeBytes;
        volatile boolean isCancelled;

        /** Whether the agent's ledger has nothing unfinished of it. */
        volatile boolean isForgotten;

        volatile Runnable whenCancelled = () -> {};

        FakePublication(PublishRequest request, TransferId transfer, List<Receipt> receipts) {
            this.request = request;
            this.transfer = transfer;
            this.receipts = new CopyOnWriteArrayList<>(receipts);
        }

        /** A subscription answers; the last answer ends the publication, as the agent does it. */
        void answer(String subscription, String refusal) {
            boolean good = refusal.isEmpty();
            receipts.add(new Receipt(
                    transfer,
                    request.topic(),
                    subscription,
                    "agent-" + subscription,
                    good ? Receipt.Outcome.DELIVERED : Receipt.Outcome.FAILED,
                    0,
                    "0".repeat(64),
                    good ? request.name().orElseThrow() : "",
                    0,
                    refusal,
                    Optional.empty()));
            actions.forEach(Runnable::run);
            List<Receipt> awaited = receipts.stream()
                    .filter(r -> request.awaited().contains(r.subscription()))
                    .toList();
            if (awaited.size() == request.receipts()) {
                boolean refused = awaited.stream().anyMatch(r -> r.outcome() == Receipt.Outcome.FAILED);
                if (refused) {
                    result.completeExceptionally(
                            new AgentException(AgentException.Code.TRANSFER_FAILED, "some subscription failed"));
                } else {
                    result.complete(new PublicationResult(
                            transfer(), request.name().orElseThrow(), 0, "", 1, 0, 0, 0, receipts()));
                }
            }
        }

        @Override
        public String topic() {
            return request.topic();
        }

        @Override
        public String transfer() {
            return transfer.toString();
        }

        @Override
        public Optional<PublishedSource> source() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<PublicationResult> result() {
            return result;
        }

        @Override
        public CompletableFuture<Void> spooled() {
            return spooled;
        }

        @Override
        public Progress progress() {
            return new Progress(transfer(), "", -1, safeBytes, 0, 0, 0, "sending");
        }

        @Override
        public List<Receipt> receipts() {
            return List.copyOf(receipts);
        }

        @Override
        public void onReceipt(Runnable action) {
            actions.add(action);
        }

        @Override
        public void cancel() {
            isCancelled = true;
            whenCancelled.run();
        }
    }

    /** Returns a publication, from one on, when its record says so that is below this directory. */
    FakePublication recorded(int number, Path directory) {
        Patience.await().until(() -> published.size() >= number);
        FakePublication publication = published.get(number - 1);
        Records records = new Records(directory.resolve("records"));
        Patience.await()
                .until(() ->
                        records.all().stream().anyMatch(file -> file.transfer().equals(publication.transfer())));
        return publication;
    }

    @Override
    public synchronized Publication publish(PublishRequest request) {
        Throwable thrown = failure.getAndSet(null);
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        Optional<FakePublication> kept = published.stream()
                .filter(each -> each.request.source().equals(request.source()) && !each.isForgotten)
                .findFirst();
        if (kept.isPresent()) {
            // goes on under the same name
            FakePublication again = new FakePublication(request, kept.get().transfer, kept.get().receipts);
            published.set(published.indexOf(kept.get()), again);
            return again;
        }
        number++;
        FakePublication publication = new FakePublication(request, new TransferId(1, number), List.of());
        published.add(publication);
        return publication;
    }

    @Override
    public List<Publication> resumePublications() {
        return List.copyOf(unfinished);
    }

    @Override
    public Subscription subscribe(SubscribeRequest request, SubscriptionListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> subscriptions(String topic) {
        mostAsking.accumulateAndGet(asking.incrementAndGet(), Math::max);
        answering.join();
        asking.decrementAndGet();
        if (isOut) {
            throw new AgentException(AgentException.Code.UNREACHABLE, "broker: connection refused");
        }
        return topic.equals("nobodys") ? List.of() : List.copyOf(subscriptions);
    }

    @Override
    public void unsubscribe(String topic, String subscription) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void withdraw(String topic, String subscription) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Publication> resume(String transfer) {
        return Optional.empty();
    }

    @Override
    public Optional<Publication> publication(String transfer) {
        return published.stream()
                .filter(each -> each.transfer().equals(transfer) && !each.isForgotten)
                .map(each -> (Publication) each)
                .findFirst();
    }

    @Override
    public void cancel(String transfer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<TransferEnd> endOf(String transfer) {
        return Optional.ofNullable(ended.get(transfer));
    }

    @Override
    public void close() {
        published.forEach(each -> each.result.completeExceptionally(
                new AgentException(AgentException.Code.INTERRUPTED, "the agent is closed")));
    }
}
