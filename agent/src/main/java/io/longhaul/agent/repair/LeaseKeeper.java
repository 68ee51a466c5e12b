package io.longhaul.agent.repair;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.TopicSubscriptions;
import io.longhaul.storage.Ledger;
import io.longhaul.wire.TopicAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends promises to subscriptions that are no more: nobody gives the receipt that would.
 *
 * <p>The broker is asked now and then for the subscriptions of each topic that something is promised of. Only an answer that
 * names all of them counts. One that all these answers have lacked for a day was removed, with its site or by itself; a
 * subscription that was lost with a broker's disk has come back by then, when its agent did. The day begins anew with the
 * agent. One call at a time.
 */
public final class LeaseKeeper {
    static final Duration PAUSE = Duration.ofHours(1);
    static final Duration PATIENCE = Duration.ofDays(1);
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final Holder holder;
    private final Link link;
    private final Ledger ledger;
    private final LongSupplier nanoTime;
    private final BiConsumer<Duration, Runnable> timer;
    private final Consumer<String> notices;
    private final Map<Claim, Long> missing = new HashMap<>(); // since when

    private record Claim(String topic, String subscription) {}

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
        missing.keySet().retainAll(claims);
        Map<String, Optional<Set<String>>> topics =
                claims.stream().map(Claim::topic).distinct().collect(Collectors.toMap(topic -> topic, this::all));
        for (Claim claim : claims) {
            topics.getOrDefault(claim.topic(), Optional.empty())
                    .ifPresent(all -> judge(claim, all.contains(claim.subscription())));
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
        if (there) {
            missing.remove(claim);
            return;
        }
        long nowNs = nanoTime.getAsLong();
        Long sinceNs = missing.putIfAbsent(claim, nowNs);
        if (sinceNs != null && nowNs - sinceNs >= PATIENCE.toNanos()) {
            missing.remove(claim);
            int ended = holder.end(claim.topic(), claim.subscription());
            notices.accept("repair: " + ended + " transfers of topic " + claim.topic()
                    + " are no longer kept for subscription " + claim.subscription()
                    + ", which has been gone for a day");
        }
    }
}
