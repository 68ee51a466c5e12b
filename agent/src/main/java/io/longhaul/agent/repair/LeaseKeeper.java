package io.longhaul.agent.repair;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.link.TopicSubscriptions;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TopicAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends promises to subscriptions that are no more: nobody gives the receipt that would. And asks those that are there for
 * receipts that may be lost.
 *
 * <p>The broker is asked now and then for the subscriptions of each topic that something is promised of. Only an answer that
 * names all of them counts. One that all these answers have lacked for a day was removed, with its site or by itself; a
 * subscription that was lost with a broker's disk has come back by then, when its agent did. The day is made up of the times
 * between such answers; the ledger keeps how much of it is over, and nothing is added while no process looks.
 *
 * <p>A receipt may be lost with a broker's disk, or be one of too many that waited for a holder that was away for long. So the
 * seals of what is promised go to the topic's holders, ever more seldom: each subscriber that has ended a transfer
 * answers with its receipt. One call at a time.
 */
public final class LeaseKeeper {
    static final Duration PAUSE = Duration.ofHours(1);
    static final Duration PATIENCE = Duration.ofDays(1);
    private static final int RAREST_QUESTION = 24; // looks
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    /** Settings of the ledger: for how long a subscription has been missing. */
    private static final String MISSING = "missing.";

    private final Holder holder;
    private final Link link;
    private final Ledger ledger;
    private final LongSupplier nanoTime;
    private final BiConsumer<Duration, Runnable> timer;
    private final Consumer<String> notices;
    private final Map<Claim, Long> missed = new HashMap<>(); // when it was, last
    private int looks;

    private record Claim(String topic, String subscription) {
        String setting() {
            return MISSING + topic + "/" + subscription;
        }
    }

    /**
     * Takes whose promises they are.
     *
     * @param timer runs something later, on a thread of its own
     */
    public LeaseKeeper(
            Holder holder,
            Link link,
            Ledger ledger,
            LongSupplier nanoTime,
            BiConsumer<Duration, Runnable> timer,
            Consumer<String> notices) {
        this.holder = holder;
        this.link = link;
        this.ledger = ledger;
        this.nanoTime = nanoTime;
        this.timer = timer;
        this.notices = notices;
    }

    /** Looks every hour, until the timer ends. */
    public void begin() {
        timer.accept(PAUSE, () -> {
            try {
                look();
            } catch (RuntimeException e) {
                LOG.warn("promises to subscriptions that may be gone were not looked at: {}", e.toString());
            }
            begin();
        });
    }

    private void look() {
        Set<Claim> claims = ledger.leases().stream()
                .map(lease -> new Claim(lease.topic(), lease.subscription()))
                .collect(Collectors.toSet());
        missed.keySet().retainAll(claims);
        Set<String> settings = claims.stream().map(Claim::setting).collect(Collectors.toSet());
        ledger.settings(MISSING).keySet().stream()
                .filter(setting -> !settings.contains(setting))
                .forEach(this::forget);
        Map<String, Optional<Set<String>>> topics =
                claims.stream().map(Claim::topic).distinct().collect(Collectors.toMap(topic -> topic, this::all));
        for (Claim claim : claims) {
            topics.getOrDefault(claim.topic(), Optional.empty())
                    .ifPresent(all -> judge(claim, all.contains(claim.subscription())));
        }
        looks++;
        if (Integer.bitCount(looks) == 1 || looks % RAREST_QUESTION == 0) {
            ledger.leases().stream()
                    .collect(Collectors.toMap(LeaseRow::transferId, LeaseRow::topic, (one, same) -> one))
                    .forEach(this::askForReceipts);
        }
    }

    /** Not through the topic: a subscription made since would take the seal for one of a transfer that is coming in. */
    private void askForReceipts(String transfer, String topic) {
        Optional<Seal> seal = Stream.concat(
                        ledger.transfer(Direction.OUTGOING, transfer, "").stream(),
                        ledger.transfers(Direction.INCOMING, transfer).stream())
                .map(TransferRow::seal)
                .filter(known -> !known.isEmpty())
                .findFirst()
                .map(known -> FrameCodec.fromJson(known.getBytes(StandardCharsets.UTF_8), Seal.class));
        if (seal.isEmpty()) {
            return;
        }
        try {
            link.offer(
                    Addresses.holders(topic),
                    seal.get(),
                    "",
                    OfferListener.whenRefused(reason -> LOG.debug("receipts of {} not asked for", transfer, reason)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the subscriptions of a topic; empty when not all are known. */
    private Optional<Set<String>> all(String topic) {
        try {
            TopicSubscriptions answer = link.topic(topic);
            return answer.isComplete() && answer.known().size() < TopicAnswer.MOST_NAMES
                    ? Optional.of(answer.known())
                    : Optional.empty();
        } catch (LinkException e) {
            LOG.debug("subscriptions of topic {}: {}", topic, e.getMessage());
            return Optional.empty();
        }
    }

    private void judge(Claim claim, boolean there) {
        Optional<Duration> before = ledger.setting(claim.setting()).map(Duration::parse);
        if (there) {
            missed.remove(claim);
            before.ifPresent(missing -> forget(claim.setting()));
            return;
        }
        long nowNs = nanoTime.getAsLong();
        Long lastNs = missed.put(claim, nowNs);
        Duration missing = before.orElse(Duration.ZERO).plusNanos(lastNs == null ? 0 : nowNs - lastNs);
        if (missing.compareTo(PATIENCE) < 0) {
            ledger.commit(List.of(new LedgerChange.PutSetting(claim.setting(), missing.toString())))
                    .join();
        } else {
            int ended = holder.end(claim.topic(), claim.subscription());
            notices.accept("repair: " + ended + " transfers of topic " + claim.topic()
                    + " are no longer kept for subscription " + claim.subscription()
                    + ", which has been gone for a day");
            missed.remove(claim);
            forget(claim.setting());
        }
    }

    private void forget(String setting) {
        ledger.commit(List.of(new LedgerChange.DeleteSetting(setting))).join();
    }
}
