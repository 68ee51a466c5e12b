package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.link.TopicSubscriptions;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Seal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over the wait for receipts. Ends it when they can never come: when more are missing than there are subscriptions
 * that were sent the transfer, still exist and have not answered. Asks for those that may be lost, as one is that comes to
 * a broker before the queue for it: the seal goes out again, which a subscriber that has ended the transfer answers with
 * its receipt. And opens their flow again should it have ended, or ends the wait when it may not be opened.
 *
 * <p>Receipts that came while no process listened arrive a moment after the first look, so only what is hopeless at two
 * looks is given up. An outage is no reason. May be used from any thread.
 */
final class ReceiptWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiptWatch.class);
    private static final Set<LinkException.Code> REFUSALS =
            Set.of(LinkException.Code.UNAUTHENTICATED, LinkException.Code.FORBIDDEN, LinkException.Code.NAME_IN_USE);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration EVERY = Duration.ofSeconds(30);
    private static final int RAREST_REMINDER = 1_024; // rounds: subscribers that are away for months find few of them

    private final Publishing publishing;
    private final Outgoing outgoing;
    private final OutgoingRecord record;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicBoolean reminding = new AtomicBoolean();

    ReceiptWatch(Publishing publishing, Outgoing outgoing) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.record = outgoing.record();
    }

    /** Looks as soon as it can, and from then on again and again until the publication ends. */
    void start() {
        if (record.detail().origin().receipts() > 0) {
            publishing.context().platform().executor().execute(() -> look(false, false));
        }
    }

    private void look(boolean doubted, boolean round) {
        if (outgoing.isEnding()) {
            return;
        }
        try {
            if (!publishing.context().link().awaitConnection(Duration.ZERO)) {
                again(false); // thousands may look, and the link would have each of them wait, on a thread of its own
                return;
            }
            TopicSubscriptions found =
                    publishing.context().link().topic(record.manifest().topic());
            if (round) {
                round();
            }
            noteSentTo(found);
            outgoing.evaluate();
            Optional<AgentException> hopeless =
                    found.isComplete() ? outgoing.hopeless(new TreeSet<>(found.known())) : Optional.empty();
            if (hopeless.isPresent() && doubted) {
                outgoing.halt(hopeless.get());
            } else if (openReceipts()) {
                again(hopeless.isPresent());
            }
        } catch (LinkException e) {
            LOG.debug("{}: subscriptions or receipts not known now", outgoing.what(), e);
            again(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether receipts can come; halts the publication when they may not. */
    private boolean openReceipts() {
        try {
            publishing.context().desk().openReceipts(record.manifest().topic());
            return true;
        } catch (LinkException e) {
            if (REFUSALS.contains(e.code())) {
                outgoing.halt(e);
                return false;
            }
            throw e;
        }
    }

    private void again(boolean doubted) {
        if (scheduled.compareAndSet(false, true)) {
            publishing.context().platform().delay().call(doubted ? GRACE : EVERY, () -> {
                scheduled.set(false);
                look(doubted, !doubted);
            });
        }
    }

    /** Counts only while the broker answers, and reminds only when it has taken the last reminder: an outage keeps them all. */
    private void round() {
        Seal seal = outgoing.seal();
        if (seal != null
                && record.row().state() == TransferState.SENT
                && isReminderDue(rounds.incrementAndGet())
                && reminding.compareAndSet(false, true)) {
            publishing.context().platform().executor().execute(() -> remind(seal));
        }
    }

    /** After 30 s, and then after twice as long each time, up to {@value #RAREST_REMINDER} rounds. */
    static boolean isReminderDue(int round) {
        return Integer.bitCount(round) == 1 || round % RAREST_REMINDER == 0;
    }

    private void remind(Seal seal) {
        try {
            String address = Addresses.topic(record.manifest().topic());
            publishing.context().link().offer(address, seal, "", new OfferListener() {
                @Override
                public void safe() {
                    reminding.set(false);
                }

                @Override
                public void refused(LinkException reason) {
                    reminding.set(false);
                    LOG.debug("{}: receipts not asked for", outgoing.what(), reason);
                }
            });
        } catch (LinkException e) {
            reminding.set(false);
            LOG.debug("{}: receipts not asked for", outgoing.what(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Who may answer is known from now on, also after a restart. */
    private void noteSentTo(TopicSubscriptions found) {
        boolean isNews = record.row().state() == TransferState.SENT
                && record.detail().sentTo().isEmpty();
        if (isNews && found.isComplete()) {
            List<String> known = List.copyOf(new TreeSet<>(found.known()));
            record.saveLater(List.of(), detail -> detail.withSentTo(known));
        }
    }
}
