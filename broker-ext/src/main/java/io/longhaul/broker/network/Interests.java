package io.longhaul.broker.network;

import io.longhaul.wire.Addresses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Who wants what: the queues that somebody keeps at this broker, and those behind each neighbour.
 *
 * <h2>Design</h2>
 * A neighbour is told the queues kept here and those behind all other neighbours; it does the same. So demand travels
 * away from each subscription over the tree of links, and files travel back towards it, and no broker has to know more
 * than its neighbours. What a neighbour wanted holds while it is away: it is owed. After a restart of this broker the
 * queues of its links, which are on disk, stand for what the neighbours want until they say it again.
 *
 * <p>One thread at a time.
 */
public final class Interests {
    private final Set<String> kept = new HashSet<>();
    private final Map<String, Neighbour> neighbours = new HashMap<>();

    private static final class Neighbour {
        private final Set<String> queues = new HashSet<>();
        private final Map<String, Set<String>> addresses = new HashMap<>(); // the queues by address
        private final Map<String, Set<String>> owed =
                new HashMap<>(); // by address; empty where the queues are not known

        void add(String queue) {
            String address = Addresses.addressOf(queue);
            queues.add(queue);
            addresses.computeIfAbsent(address, none -> new HashSet<>()).add(queue);
        }

        void remove(String queue) {
            if (queues.remove(queue)) {
                addresses.computeIfPresent(Addresses.addressOf(queue), (address, on) -> {
                    on.remove(queue);
                    return on.isEmpty() ? null : on;
                });
            }
        }

        Set<String> wanted() {
            Set<String> all = new TreeSet<>(addresses.keySet());
            all.addAll(owed.keySet());
            return all;
        }

        /** Returns the queues on an address that are wanted; empty when not all of them are known. */
        Optional<Set<String>> on(String address) {
            Set<String> on = new HashSet<>(owed.getOrDefault(address, Set.of()));
            // an address stands for somebody beyond, who need not be the one for whom another neighbour names it
            if (owed.containsKey(address) && on.isEmpty() || queues.contains(address)) {
                return Optional.empty();
            }
            on.addAll(addresses.getOrDefault(address, Set.of()));
            return Optional.of(on);
        }
    }

    /**
     * What has changed since a neighbour was heard.
     *
     * @param wanted addresses that it wants now
     * @param unwanted addresses that it no longer wants
     * @param names queues that it said or took back
     */
    public record Change(Set<String> wanted, Set<String> unwanted, Set<String> names) {}

    private Neighbour neighbour(String peer) {
        return neighbours.computeIfAbsent(peer, name -> new Neighbour());
    }

    /** A queue is kept here from now on. */
    public void keep(String queue) {
        kept.add(queue);
    }

    /** A queue is no longer kept here. */
    public void drop(String queue) {
        kept.remove(queue);
    }

    /**
     * There is a queue for an address on the way to a neighbour which has not yet said what it wants.
     *
     * @param queues what it wanted of the address before; empty when that is not known
     */
    public void owe(String peer, String address, Set<String> queues) {
        neighbour(peer).owed.put(address, Set.copyOf(queues));
    }

    /**
     * Takes what a neighbour says.
     *
     * @param complete whether {@code added} is all that it wants
     */
    public Change heard(String peer, boolean complete, Set<String> removed, Set<String> added) {
        Neighbour from = neighbour(peer);
        Set<String> before = from.wanted();
        Set<String> names = new HashSet<>(complete ? from.queues : removed);
        names.retainAll(from.queues);
        names.addAll(added);
        if (complete) {
            from.owed.clear();
            from.queues.clear();
            from.addresses.clear();
        }
        removed.forEach(from::remove);
        added.forEach(from::add);
        Set<String> now = from.wanted();
        Set<String> wanted = new TreeSet<>(now);
        wanted.removeAll(before);
        Set<String> unwanted = new TreeSet<>(before);
        unwanted.removeAll(now);
        return new Change(wanted, unwanted, names);
    }

    /**
     * Returns all that a neighbour is to be told, as far as it may know. What a neighbour that is away wanted is told
     * unless one that is present wants it, too: then that is the way there.
     */
    public Set<String> telling(String peer, Predicate<String> present, Predicate<String> mayKnow) {
        Set<String> reached = new HashSet<>();
        neighbours.forEach((name, other) -> {
            if (present.test(name)) {
                reached.addAll(other.queues);
            }
        });
        Set<String> all = new HashSet<>(kept);
        neighbours.forEach((name, other) -> {
            if (!name.equals(peer)) {
                boolean here = present.test(name);
                other.queues.stream()
                        .filter(queue -> here || !reached.contains(queue))
                        .forEach(all::add);
                all.addAll(other.owed.keySet());
            }
        });
        all.removeIf(mayKnow.negate());
        return all;
    }

    /** A neighbour is no more; returns the names of the queues that were behind it. */
    public Set<String> forget(String peer) {
        Neighbour gone = neighbours.remove(peer);
        return gone == null ? Set.of() : Set.copyOf(gone.queues);
    }

    /** Returns the addresses that a neighbour wants. */
    public Set<String> wanted(String peer) {
        return neighbours.containsKey(peer) ? neighbour(peer).wanted() : Set.of();
    }

    /**
     * Returns the neighbours by whose way what a neighbour wants of an address reaches all who keep queues there, too: each of
     * these queues is wanted by one of them. Empty when one is wanted by none, or not all are known.
     */
    public Optional<Set<String>> covering(String peer, String address, Predicate<String> others) {
        Set<String> queues = neighbour(peer).on(address).orElse(Set.of());
        Set<String> covered = new HashSet<>();
        Set<String> by = new TreeSet<>();
        neighbours.forEach((name, other) -> {
            if (!name.equals(peer) && others.test(name)) {
                Set<String> shared = new HashSet<>(queues);
                shared.retainAll(other.queues);
                if (!shared.isEmpty()) {
                    covered.addAll(shared);
                    by.add(name);
                }
            }
        });
        return queues.isEmpty() || !covered.equals(queues) ? Optional.empty() : Optional.of(by);
    }

    /** Returns the neighbour on the way to a queue, a present one if there is any; empty for none, and for one kept here. */
    public Optional<String> wayTo(String queue, Predicate<String> present) {
        List<String> ways = neighbours.entrySet().stream()
                .filter(entry -> entry.getValue().queues.contains(queue))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        return kept.contains(queue)
                ? Optional.empty()
                : ways.stream()
                        .filter(present)
                        .findFirst()
                        .or(() -> ways.stream().findFirst());
    }

    /** Returns the names of the queues behind a neighbour. */
    public Set<String> names(String peer) {
        return Set.copyOf(neighbour(peer).queues);
    }

    /** Returns whether anybody, here or elsewhere, is known to keep a queue on an address. */
    public boolean isWanted(String address) {
        return kept.stream().anyMatch(queue -> Addresses.addressOf(queue).equals(address))
                || neighbours.values().stream().anyMatch(each -> each.addresses.containsKey(address));
    }

    /** Returns the names of all subscriptions on a topic that are known, here and behind neighbours; sorted. */
    public List<String> subscriptions(String topic) {
        String prefix = Addresses.subscriptionPrefix(topic);
        Set<String> names = new TreeSet<>();
        addNames(kept, prefix, names);
        neighbours.values().forEach(each -> addNames(each.queues, prefix, names));
        return new ArrayList<>(names);
    }

    /** Returns the names of the subscriptions on a topic behind one neighbour, sorted; none when one has no name yet. */
    public List<String> subscriptionsBehind(String peer, String topic) {
        Set<String> names = new TreeSet<>();
        Neighbour from = neighbour(peer);
        String address = Addresses.topic(topic);
        if (!from.queues.contains(address) && !from.owed.containsKey(address)) {
            addNames(from.queues, Addresses.subscriptionPrefix(topic), names);
        }
        return new ArrayList<>(names);
    }

    private static void addNames(Set<String> queues, String prefix, Set<String> names) {
        for (String queue : queues) {
            if (queue.startsWith(prefix)) {
                names.add(queue.substring(prefix.length()));
            }
        }
    }

    /**
     * Returns the neighbours behind whom somebody wants an address without that it is known who: they have not spoken since
     * this broker's start, or somebody beyond them has not since theirs, for whom they name the address alone; sorted.
     */
    public List<String> unheard(String address) {
        return neighbours.entrySet().stream()
                .filter(each -> each.getValue().owed.containsKey(address)
                        || each.getValue().queues.contains(address))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Returns the number of subscriptions kept here. */
    public long subscriptionsHere() {
        return kept.stream()
                .filter(queue -> queue.startsWith(Addresses.SUBSCRIPTION_PREFIX))
                .count();
    }
}
