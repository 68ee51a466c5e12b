package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Principal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** Files that fronts send to the back end behind this back. Belongs to the thread of its {@link World}. */
final class Deliveries {
    private static final int FORGET_EVERY = 256;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final World world;
    private final Backends backends;
    private final Mirrors mirrors;
    private final Changes changes;
    private final Map<Number128, CompletableFuture<Delivery>> deliveries = new HashMap<>(); // own thread only

    Deliveries(World world, Backends backends, Mirrors mirrors, Changes changes) {
        this.world = world;
        this.backends = backends;
        this.mirrors = mirrors;
        this.changes = changes;
    }

    /** Takes up what an earlier process left; nothing goes on before the front asks again. */
    void recover() {
        for (Content content : world.store().all()) {
            DeliveryNote.of(content.note()).ifPresent(note -> {
                Delivery delivery = new Delivery(world, backends, mirrors, content, note);
                delivery.recovered();
                deliveries.put(content.id(), CompletableFuture.completedFuture(delivery));
                note.temporary().ifPresent(left -> discard(note.deliver().user(), left));
            });
        }
        world.execute(this::removeForgotten);
    }

    /** Removes what a killed process left at the server, whether or not anybody goes on with the delivery. */
    private void discard(Principal user, String left) {
        CompletableFuture.completedFuture(user)
                .thenCompose(who -> backends.of(who).discard(left))
                .whenComplete((done, failure) -> {
                    if (failure != null && World.failure(failure).code() == Code.UNAVAILABLE) {
                        world.after(PAUSE, () -> discard(user, left));
                    }
                });
    }

    private void removeForgotten() {
        deliveries.values().stream()
                .filter(delivery -> delivery.isDone() && !isGone(delivery))
                .forEach(delivery -> delivery.join().removeIfForgotten());
        world.after(DAY, this::removeForgotten);
    }

    /** Does what a front says about a content; may be called by any thread. */
    CompletableFuture<Answer> deliver(String from, Call.Deliver call, LongConsumer progress) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        world.execute(() -> {
            if (call.end() == Call.Deliver.End.ABORT && isUnknown(call.content())) {
                // made only to be given up, it would stay for ever
                answer.complete(new Answer.Done());
                return;
            }
            delivery(from, call)
                    .whenComplete((delivery, failure) -> world.execute(() -> {
                        if (failure != null) {
                            answer.completeExceptionally(World.failure(failure));
                            return;
                        }
                        delivery.deliver(from, call, progress).whenComplete((done, failed) -> {
                            if (failed == null) {
                                answer.complete(done);
                            } else {
                                answer.completeExceptionally(World.failure(failed));
                            }
                        });
                    }));
        });
        return call.end() == Call.Deliver.End.COMMIT
                ? changes.after(List.of(call.request().path()), answer)
                : answer;
    }

    private boolean isUnknown(Number128 content) {
        CompletableFuture<Delivery> known = deliveries.get(content);
        return known == null || isGone(known);
    }

    private CompletableFuture<Delivery> delivery(String from, Call.Deliver call) {
        CompletableFuture<Delivery> known = deliveries.get(call.content());
        if (known != null && !isGone(known)) {
            return known;
        }
        deliveries.remove(call.content());
        if (deliveries.size() % FORGET_EVERY == FORGET_EVERY - 1) {
            deliveries.values().removeIf(Deliveries::isGone);
        }
        DeliveryNote note = new DeliveryNote(from, call);
        return deliveries.computeIfAbsent(
                call.content(),
                id -> world.onDisk(world.disk(), () -> content(id, note))
                        .thenApply(content -> new Delivery(world, backends, mirrors, content, note)));
    }

    private static boolean isGone(CompletableFuture<Delivery> delivery) {
        return delivery.isCompletedExceptionally()
                || delivery.isDone() && delivery.join().isGone();
    }

    private Content content(Number128 id, DeliveryNote note) {
        return world.store().find(id).orElseGet(() -> world.create(id, note.text()));
    }
}
