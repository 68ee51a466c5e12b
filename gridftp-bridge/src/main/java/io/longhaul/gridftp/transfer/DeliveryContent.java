package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.gridftp.thread.AtMost;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes and note of a delivery: what changes them, one thing after the other, and how long they are kept.
 *
 * <p>What became of a part of a file is known here alone until its front has noted it: without it, it would be added twice. So
 * those contents stay until the front says that it comes no more, or is never heard of again.
 *
 * <p>Belongs to the thread of its {@link World}.
 */
final class DeliveryContent {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryContent.class);
    private static final Duration LONGEST = Duration.ofDays(30);

    private final World world;
    private final Content content;
    private final AtMost serial;

    DeliveryContent(World world, Content content) {
        this.world = world;
        this.content = content;
        this.serial = new AtMost(1, world.disk());
    }

    /** Returns whether it was dropped. */
    boolean isGone() {
        return world.store().find(content.id()).isEmpty();
    }

    /** Does something that waits for the disk, behind what was to be done before. */
    CompletableFuture<Boolean> change(Runnable change) {
        return world.onDisk(serial, () -> {
            change.run();
            return true;
        });
    }

    /** Notes something; waits for the disk. */
    void note(String text) {
        content.note(world.clock().instant(), text);
    }

    /** Notes how it stands; what is added to a file must not be added again after a power loss either. */
    CompletableFuture<Boolean> noteState(DeliveryNote known) {
        return change(() -> {
                    content.record();
                    note(known.text());
                    if (!Destination.isWholeFile(known.deliver())) {
                        content.force();
                    }
                })
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "delivery of {}: how it stands is not noted: {}",
                                known.deliver().request().path(),
                                failure.getMessage());
                    }
                });
    }

    /** It is known that nothing was added to the file: a process that is killed from now on leaves no doubt. */
    void noteUnadded(DeliveryNote known) {
        if (known.deliver().request().kind() == Kind.APPEND) {
            noteState(known);
        }
    }

    /** Notes which sink it goes into, and returns the note; waits for nothing. */
    DeliveryNote noteSink(DeliveryNote known, Sink sink) {
        DeliveryNote noted = known.into(sink);
        if (!noted.equals(known)) {
            // where that fails, so does the content
            change(() -> note(noted.text()));
        }
        return noted;
    }

    /** It is in use. */
    void needed() {
        content.evictable(false);
    }

    /** Nothing is being done with it. */
    void resting(DeliveryNote known) {
        boolean wasCommitted = content.seal().isPresent() || known.outcome().isPresent();
        boolean isKnownHereOnly = wasCommitted || known.basis().isPresent();
        content.evictable(Destination.isWholeFile(known.deliver()) || !isKnownHereOnly);
    }

    /** Nobody wants it, but somebody may come who sends the same. */
    void unwanted() {
        content.evictable(true);
    }

    CompletableFuture<Boolean> remove() {
        return change(() -> world.store().remove(content));
    }

    /** Returns whether nobody has asked for it for so long that nobody ever will. */
    boolean isForgotten() {
        return content.noted().isBefore(world.clock().instant().minus(LONGEST));
    }
}
