package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.TransferState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the wait for receipts that can never come: when more are missing than there are subscriptions that were sent the
 * transfer, still exist and have not answered.
 *
 * <p>Receipts that came while no process listened arrive a moment after the first look, so only what is hopeless at two
 * looks is given up. An outage is no reason. May be used from any thread.
 */
final class ReceiptWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiptWatch.class);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration EVERY = Duration.ofSeconds(30);

    private final Publishing publishing;
    private final Outgoing outgoing;
    private final OutgoingRecord record;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    ReceiptWatch(Publishing publishing, Outgoing outgoing) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.record = outgoing.record();
    }

    /** Looks as soon as it can, and from then on again and again until the publication ends. */
    void start() {
        if (record.detail().origin().receipts() > 0) {
            publishing.context().platform().executor().execute(() -> look(false));
        }
    }

    private void look(boolean doubted) {
        if (outgoing.isEnding()) {
            return;
        }
        try {
            Optional<AgentException> hopeless = hopeless();
            if (hopeless.isPresent() && doubted) {
                outgoing.halt(hopeless.get());
            } else {
                again(hopeless.isPresent());
            }
        } catch (LinkException e) {
            LOG.debug("{}: subscriptions not known now", outgoing.what(), e);
            again(false);
        }
    }

    private void again(boolean doubted) {
        if (scheduled.compareAndSet(false, true)) {
            publishing.context().platform().delay().call(doubted ? GRACE : EVERY, () -> {
                scheduled.set(false);
                look(doubted);
            });
        }
    }

    private Optional<AgentException> hopeless() {
        String topic = record.manifest().topic();
        Set<String> known = new TreeSet<>(publishing.context().link().subscriptions(topic));
        if (record.row().state() == TransferState.SENT
                && record.detail().sentTo().isEmpty()) {
            record.saveLater(List.of(), detail -> detail.withSentTo(List.copyOf(known)));
        }
        return outgoing.hopeless(known);
    }
}
