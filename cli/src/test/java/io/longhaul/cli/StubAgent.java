package io.longhaul.cli;

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
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An agent whose publications end as the test says. */
final class StubAgent implements Agent {
    private final List<StubPublication> started = new ArrayList<>();
    private final Set<String> unfinished = new HashSet<>();
    private Consumer<StubPublication> onPublish = publication -> {};
    private Runnable onSubscribe = () -> {};
    private @Nullable AgentException refusal;
    private int refused;

    /** A publication that the test ends. */
    record StubPublication(
            String transfer,
            String name,
            Optional<PublishedSource> source,
            CompletableFuture<PublicationResult> result,
            CompletableFuture<Void> spooled)
            implements Publication {

        @Override
        public String topic() {
            return "t";
        }

        void succeed(PublicationResult value) {
            result.complete(value);
        }

        void fail(RuntimeException failure) {
            spooled.completeExceptionally(failure);
            result.completeExceptionally(failure);
        }

        @Override
        public Progress progress() {
            return new Progress(transfer, name, 100, 50, 0, 0, 0, "sending");
        }

        @Override
        public List<Receipt> receipts() {
            return List.of();
        }

        @Override
        public void onReceipt(Runnable action) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void cancel() {
            throw new UnsupportedOperationException();
        }
    }

    /** From now on nothing is taken. */
    void refuse(AgentException reason) {
        refusal = reason;
    }

    int refused() {
        return refused;
    }

    void onPublish(Consumer<StubPublication> action) {
        onPublish = action;
    }

    void onSubscribe(Runnable action) {
        onSubscribe = action;
    }

    /** From now on the transfer is one that can go on. */
    void keep(StubPublication publication) {
        unfinished.add(publication.transfer());
    }

    List<StubPublication> started() {
        return started;
    }

    @Override
    public Publication publish(PublishRequest request) {
        if (refusal != null) {
            refused++;
            throw refusal;
        }
        StubPublication publication = new StubPublication(
                String.format("%032x", started.size()),
                request.name()
                        .orElseGet(() -> request.source()
                                .map(Path::getFileName)
                                .map(Path::toString)
                                .orElse("-")),
                request.source().filter(Files::isRegularFile).map(StubAgent::sourceOf),
                new CompletableFuture<>(),
                new CompletableFuture<>());
        started.add(publication);
        onPublish.accept(publication);
        return publication;
    }

    private static PublishedSource sourceOf(Path file) {
        try {
            Map<String, Object> found = Files.readAttributes(file, "unix:ino,size,lastModifiedTime");
            return new PublishedSource(
                    file.toString(),
                    String.valueOf(found.get("ino")),
                    (Long) found.get("size"),
                    ((FileTime) found.get("lastModifiedTime")).to(TimeUnit.NANOSECONDS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Publication> resumePublications() {
        return List.copyOf(started);
    }

    @Override
    public Subscription subscribe(SubscribeRequest request, SubscriptionListener listener) {
        onSubscribe.run();
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> subscriptions(String topic) {
        return List.of();
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
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Publication> publication(String transfer) {
        return started.stream()
                .filter(publication -> unfinished.contains(publication.transfer()))
                .filter(publication -> publication.transfer().equals(transfer))
                .map(Publication.class::cast)
                .findFirst();
    }

    @Override
    public void cancel(String transfer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<TransferEnd> endOf(String transfer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
