package io.longhaul.gridftp.session;

import io.longhaul.gridftp.FrontLimits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** Counts sessions, so that no client takes the room of all others. Thread-safe. */
public final class Sessions {
    private final FrontLimits limits;
    private final Map<InetAddress, Integer> addresses = new HashMap<>(); // guarded by this
    private final Map<String, Integer> users = new HashMap<>(); // guarded by this
    private int all; // guarded by this

    public Sessions(FrontLimits limits) {
        this.limits = limits;
    }

    /** Returns whether there is room for one more client from an address, and then has it in. */
    public synchronized boolean enter(InetAddress address) {
        if (all >= limits.sessions() || addresses.getOrDefault(address, 0) >= limits.sessionsPerAddress()) {
            return false;
        }
        all++;
        addresses.merge(address, 1, Integer::sum);
        return true;
    }

    /** One that has entered leaves. */
    public synchronized void leave(InetAddress address) {
        all--;
        less(addresses, address);
    }

    /** Returns whether there is room for one more session of a user, and then has it. */
    synchronized boolean login(String user) {
        if (users.getOrDefault(user, 0) >= limits.sessionsPerUser()) {
            return false;
        }
        users.merge(user, 1, Integer::sum);
        return true;
    }

    /** A session that has logged in is over. */
    synchronized void logout(String user) {
        less(users, user);
    }

    private static <K> void less(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
    }

    /** Returns how many there are. */
    public synchronized int count() {
        return all;
    }
}
