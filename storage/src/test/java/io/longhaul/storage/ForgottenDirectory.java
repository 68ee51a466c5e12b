package io.longhaul.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** One directory of a {@link ForgetfulDisk}: its names now, and those that are durable. */
final class ForgottenDirectory extends ForgottenNode {
    private record Change(String name, ForgottenNode node) {}

    final Map<String, ForgottenNode> now = new TreeMap<>();
    private final Map<String, ForgottenNode> durable = new TreeMap<>();
    private final List<Change> unsynced = new ArrayList<>();

    void put(String name, ForgottenNode node) {
        now.put(name, node);
        unsynced.add(new Change(name, node));
    }

    void remove(String name) {
        now.remove(name);
        unsynced.add(new Change(name, null));
    }

    void synced() {
        durable.clear();
        durable.putAll(now);
        unsynced.clear();
        keepAttributes();
    }

    /** Makes everything below durable. */
    void syncedWithAll() {
        synced();
        for (ForgottenNode node : now.values()) {
            if (node instanceof ForgottenDirectory inner) {
                inner.syncedWithAll();
            } else if (node instanceof ForgottenFile file) {
                file.forced();
            }
        }
    }

    /** Returns the names after a power loss; with a source of chance, the first of the unsynced changes may be there. */
    Map<String, ForgottenNode> survivors(RandomGenerator chance) {
        Map<String, ForgottenNode> left = new TreeMap<>(durable);
        int kept = chance == null ? 0 : chance.nextInt(unsynced.size() + 1);
        for (Change change : unsynced.subList(0, kept)) {
            if (change.node == null) {
                left.remove(change.name);
            } else {
                left.put(change.name, change.node);
            }
        }
        return left;
    }
}
