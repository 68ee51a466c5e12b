package io.longhaul.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What to subscribe to, and where files go.
 *
 * @param topic words of letters, digits, {@code _} and {@code -}, joined by dots; at most 200 characters
 * @param name the subscription's name, of letters, digits, and {@code . _ -}, at most 100; durable at the broker, one process at
 *     a time
 * @param into directory that files appear in; made when missing; the agent's data directory must not be it or in it
 * @param existing what happens when a file of the name exists, default {@link ExistingPolicy#REPLACE}
 * @param archive keep every transfer under its own id for later repairs, as long as this says, and prefer this agent as
 *     holder; empty, the default, for a subscription that delivers
 * @param since also get what an archive of the topic has had since then; empty, the default, for only what is published from
 *     now on
 * @param target where transfers go on to, before their receipts are given; empty, the default, for the directory alone
 */
public record SubscribeRequest(
        String topic,
        String name,
        Path into,
        ExistingPolicy existing,
        Optional<Retention> archive,
        Optional<Since> since,
        Optional<DeliveryTarget> target) {
    /** Throws {@link IllegalArgumentException} for an archive with a target. */
    public SubscribeRequest {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(into, "into");
        Objects.requireNonNull(existing, "existing");
        Objects.requireNonNull(archive, "archive");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(target, "target");
        if (archive.isPresent() && target.isPresent()) {
            throw new IllegalArgumentException("target: expected none for an archive, found one");
        }
    }

    /** Returns a request with all defaults: what exists is replaced. */
    public static SubscribeRequest of(String topic, String name, Path into) {
        return new SubscribeRequest(
                topic, name, into, ExistingPolicy.REPLACE, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns it with another answer to what exists. */
    public SubscribeRequest withExisting(ExistingPolicy newExisting) {
        return new SubscribeRequest(topic, name, into, newExisting, archive, since, target);
    }

    /** Returns it as that of an archive. */
    public SubscribeRequest withArchive(Retention retention) {
        return new SubscribeRequest(
                topic, name, into, existing, Optional.of(Objects.requireNonNull(retention, "archive")), since, target);
    }

    /** Returns it so that it catches up from a time on. */
    public SubscribeRequest withSince(Instant time) {
        return from(new Since(Optional.of(Objects.requireNonNull(time, "since")), Optional.empty()));
    }

    /**
     * Returns it so that it catches up with what an archive has had in so much time before the first start with the same
     * duration. The ledger keeps that time until everything since then is here or on its way, also when the agent is closed or
     * killed meanwhile; a start after that counts from itself.
     */
    public SubscribeRequest withSinceAgo(Duration ago) {
        return from(new Since(Optional.empty(), Optional.of(Objects.requireNonNull(ago, "ago"))));
    }

    private SubscribeRequest from(Since newSince) {
        return new SubscribeRequest(topic, name, into, existing, archive, Optional.of(newSince), target);
    }

    /** Returns the same that goes on to a target; not for archives. */
    public SubscribeRequest withTarget(DeliveryTarget newTarget) {
        return new SubscribeRequest(
                topic, name, into, existing, archive, since, Optional.of(Objects.requireNonNull(newTarget, "target")));
    }

    /** Returns whether it is that of an archive. */
    public boolean isArchive() {
        return archive.isPresent();
    }
}
