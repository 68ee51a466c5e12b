package io.longhaul.broker.limits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The limits of all users and topics of a broker.
 *
 * <p>What is too fast is taken, and its answer waits: publishers have a window of what may be unanswered, so they come to
 * send as fast as answers come. What must not begin is refused with its manifest, and so is what follows it. Thread-safe;
 * nothing here blocks.
 */
public final class Quotas {
    private static final int MOST_REFUSED = 10_000;
    private static final int MOST_TOPICS = 1_000;

    private final Function<String, User> users;
    private final Backlogs backlogs;
    private final LongSupplier nanoTime;
    private final List<Patterned> patterns;
    private final Map<String, Quota> ofUsers = new ConcurrentHashMap<>();
    private final Map<String, List<Quota>> ofTopics = new ConcurrentHashMap<>(); // by topic, as found
    private final Set<String> refused; // guarded by itself

    /**
     * A user as the limits see it.
     *
     * @param limit the user's own
     * @param topics those that the user may publish to
     */
    public record User(Limit limit, Predicate<String> topics) {}

    /**
     * A limit of topics.
     *
     * @param pattern how the topics are written
     * @param topics which ones they are
     * @param limit what they may use together
     */
    public record Topics(String pattern, Predicate<String> topics, Limit limit) {}

    /** How much waits at the broker. */
    @FunctionalInterface
    public interface Backlogs {
        /** Returns the bytes that wait on these topics; of the subscriptions of one topic that with the most counts. */
        long bytes(Predicate<String> topics);
    }

    private record Patterned(Topics topics, Quota quota) {}

    public Quotas(Function<String, User> users, List<Topics> topics, Backlogs backlogs, LongSupplier nanoTime) {
        this.users = users;
        this.backlogs = backlogs;
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        this.patterns = topics.stream()
                .map(each -> new Patterned(each, new Quota("topic " + each.pattern(), each.limit(), now)))
                .toList();
        this.refused = Collections.newSetFromMap(new LinkedHashMap<String, Boolean>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > MOST_REFUSED;
            }
        });
    }

    /**
     * Returns why a transfer may not begin; when it may, it is under way from now on. One after the other, or several that
     * begin together would find room for one; frames of others do not wait for that.
     */
    public synchronized Optional<String> begin(String user, String topic, String transfer) {
        long now = nanoTime.getAsLong();
        String key = key(user, transfer);
        Optional<String> objection = objection(user, topic, key, now);
        synchronized (refused) {
            if (objection.isPresent()) {
                refused.add(key);
            } else {
                refused.remove(key);
            }
        }
        if (objection.isEmpty()) {
            quotas(user, topic).forEach(each -> each.touch(key, now));
        }
        return objection;
    }

    private Optional<String> objection(String user, String topic, String key, long now) {
        Optional<Quota> own = ofUser(user);
        if (own.isPresent()) {
            Optional<String> objection = own.get()
                    .objection(key, backlog(own.get(), users.apply(user).topics()), now);
            if (objection.isPresent()) {
                return objection;
            }
        }
        for (Patterned each : patterns) {
            if (each.topics().topics().test(topic)) {
                Optional<String> objection = each.quota()
                        .objection(key, backlog(each.quota(), each.topics().topics()), now);
                if (objection.isPresent()) {
                    return objection;
                }
            }
        }
        return Optional.empty();
    }

    private long backlog(Quota quota, Predicate<String> topics) {
        return quota.limit().backlog() == 0 ? 0 : backlogs.bytes(topics);
    }

    /** Returns whether a transfer was not let in, so that nothing of it may come. */
    public boolean isRefused(String user, String transfer) {
        synchronized (refused) {
            return refused.contains(key(user, transfer));
        }
    }

    /** Returns why a piece cannot be taken now, though it may later; who waits for answers is never told so. */
    public Optional<String> flood(String user, String topic) {
        long now = nanoTime.getAsLong();
        return quotas(user, topic).stream()
                .map(each -> each.flood(now))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Notes a piece that was taken; returns for how many nanoseconds its answer is to wait. */
    public long piece(String user, String topic, String transfer, long size) {
        long now = nanoTime.getAsLong();
        String key = key(user, transfer);
        long delayNs = 0;
        for (Quota each : quotas(user, topic)) {
            delayNs = Math.max(delayNs, each.piece(key, size, now));
        }
        return delayNs;
    }

    /** Returns for how many nanoseconds the limits as they are now owe something; a limit that has changed owes nothing. */
    public long owedNs(String user, String topic) {
        long now = nanoTime.getAsLong();
        return quotas(user, topic).stream()
                .mapToLong(each -> each.pauseNs(now))
                .max()
                .orElse(0);
    }

    /** Notes what came over the link of a user; only the user's own rates apply to links. */
    public void carried(String user, long size) {
        long now = nanoTime.getAsLong();
        ofUser(user).ifPresent(quota -> quota.carried(size, now));
    }

    /** Returns for how many nanoseconds a link of the user should take nothing. */
    public long pauseNs(String user) {
        long now = nanoTime.getAsLong();
        return ofUser(user).map(quota -> quota.pauseNs(now)).orElse(0L);
    }

    /** Notes that a piece from a link of the user has to wait for that; once for each. */
    public void delayed(String user) {
        ofUser(user).ifPresent(Quota::delay);
    }

    /** A transfer has ended, or was not taken after all. */
    public void ended(String user, String topic, String transfer) {
        String key = key(user, transfer);
        quotas(user, topic).forEach(each -> each.ended(key));
    }

    /** Returns what was counted for everybody who has a limit. */
    public List<QuotaFigures> figures() {
        long now = nanoTime.getAsLong();
        List<QuotaFigures> figures = new ArrayList<>();
        ofUsers.keySet().removeIf(user -> users.apply(user).limit().equals(Limit.NONE));
        patterns.forEach(each -> figures.add(each.quota().figures(now)));
        ofUsers.values().forEach(each -> figures.add(each.figures(now)));
        return figures;
    }

    private List<Quota> quotas(String user, String topic) {
        List<Quota> all = new ArrayList<>(topicQuotas(topic));
        ofUser(user).ifPresent(all::add);
        return all;
    }

    private Optional<Quota> ofUser(String user) {
        Limit limit = users.apply(user).limit();
        if (limit.equals(Limit.NONE)) {
            ofUsers.remove(user);
            return Optional.empty();
        }
        return Optional.of(ofUsers.compute(
                user,
                (name, known) -> known != null && known.limit().equals(limit)
                        ? known
                        : new Quota(name.isEmpty() ? "everybody" : "user " + name, limit, nanoTime.getAsLong())));
    }

    private List<Quota> topicQuotas(String topic) {
        if (patterns.isEmpty()) {
            return List.of();
        }
        List<Quota> known = ofTopics.get(topic);
        if (known == null) {
            known = patterns.stream()
                    .filter(each -> each.topics().topics().test(topic))
                    .map(Patterned::quota)
                    .toList();
            if (ofTopics.size() < MOST_TOPICS) {
                ofTopics.put(topic, known);
            }
        }
        return known;
    }

    /** A transfer's id is told to subscribers, who must not be able to end or stop it with frames of their own. */
    private static String key(String user, String transfer) {
        return user + '/' + transfer;
    }
}
