package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What is to be done once neighbours act on what they have been told. Network's thread only. */
final class Promises {
    private final String self;
    private final Map<String, Neighbour> neighbours;
    private final Known known;
    private final Deque<Promise> open = new ArrayDeque<>();

    private record Promise(Map<String, Neighbour.Told> told, String topic, Runnable keep) {}

    /** Takes all neighbours by name, as they come and go, and the subscriptions that they know of. */
    Promises(String self, Map<String, Neighbour> neighbours, Known known) {
        this.self = self;
        this.neighbours = neighbours;
        this.known = known;
    }

    /** A subscription was made here, of which the neighbours have been told. */
    void subscribed(String queue) {
        known.add(queue);
        make("", Addresses.topicOf(queue), () -> {});
    }

    /**
     * Does something once all neighbours but one act on what they have been told up to now.
     *
     * @param topic what it is about, for those who ask; empty for nothing that anybody asks about
     */
    void make(String except, String topic, Runnable keep) {
        Map<String, Neighbour.Told> all = new HashMap<>();
        neighbours.forEach((name, each) -> each.told().ifPresent(told -> all.put(name, told)));
        all.remove(except);
        open.add(new Promise(all, topic, keep));
        keep();
    }

    /** Keeps those that are due. */
    void keep() {
        List<Promise> due =
                open.stream().filter(promise -> unaware(promise).isEmpty()).toList();
        open.removeAll(due);
        due.forEach(promise -> promise.keep().run());
        if (known.isWaiting() && !isAlone() && neighbours.values().stream().allMatch(Neighbour::isGreeted)) {
            known.learn(open.stream().map(Promise::topic).collect(Collectors.toSet()));
        }
    }

    private boolean isAlone() {
        return known.hasLinks() && neighbours.values().stream().noneMatch(Neighbour::isUp);
    }

    private List<String> unaware(Promise promise) {
        return promise.told().entrySet().stream()
                .filter(each -> {
                    Neighbour neighbour = neighbours.get(each.getKey());
                    return neighbour != null && !neighbour.actsOn(each.getValue());
                })
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Returns who does not yet act on the subscriptions to a topic that were made here; empty when all do who can be reached,
     * and while no link stands when all are known to have done before.
     */
    String unknownTo(String topic) {
        if (isAlone()) {
            return known.isWaiting(topic) ? "no link of broker " + self + " stands" : "";
        }
        Set<String> late = new HashSet<>();
        open.stream().filter(each -> each.topic().equals(topic)).forEach(each -> late.addAll(unaware(each)));
        neighbours.values().stream().filter(each -> !each.isGreeted()).forEach(each -> late.add(each.name()));
        return late.isEmpty() ? "" : "broker " + String.join(", ", late) + " does not know of it yet";
    }
}
