package io.longhaul.broker.artemis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is to be done once neighbours act on what they have been told. Network's thread only. */
final class Promises {
    private final Map<String, Neighbour> neighbours;
    private final Deque<Promise> open = new ArrayDeque<>();

    private record Promise(Map<String, Long> versions, String topic, Runnable keep) {}

    /** Takes all neighbours by name, as they come and go. */
    Promises(Map<String, Neighbour> neighbours) {
        this.neighbours = neighbours;
    }

    /**
     * Does something once all neighbours but one act on what they have been told up to now.
     *
     * @param topic what it is about, for those who ask; empty for nothing that anybody asks about
     */
    void make(String except, String topic, Runnable keep) {
        Map<String, Long> versions = new HashMap<>();
        neighbours.values().forEach(each -> {
            if (each.isActive() && !each.name().equals(except)) {
                versions.put(each.name(), each.toldVersion());
            }
        });
        open.add(new Promise(versions, topic, keep));
        keep();
    }

    /** Keeps those that are due. */
    void keep() {
        List<Promise> due =
                open.stream().filter(promise -> unaware(promise).isEmpty()).toList();
        open.removeAll(due);
        due.forEach(promise -> promise.keep().run());
    }

    private List<String> unaware(Promise promise) {
        return promise.versions().entrySet().stream()
                .filter(each -> {
                    Neighbour neighbour = neighbours.get(each.getKey());
                    return neighbour != null && !neighbour.isKnown(each.getValue());
                })
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the neighbours that do not yet act on what was said about a topic. */
    Set<String> unaware(String topic) {
        Set<String> late = new HashSet<>();
        open.stream().filter(each -> each.topic().equals(topic)).forEach(each -> late.addAll(unaware(each)));
        return late;
    }
}
