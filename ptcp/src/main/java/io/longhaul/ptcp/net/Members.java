package io.longhaul.ptcp.net;

import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connections of sessions with a stream: of members, whose user is known, and of guests, whose user is not.
 *
 * <p>When there is no room, the oldest guest makes some: whoever can open sessions without being anybody must not shut
 * those out who are, and who means it is known long before a crowd has pushed it out. Thread-safe.
 */
final class Members {
    private final int most;
    private final Set<Channel> members = new HashSet<>(); // guarded by this
    private final Map<Channel, Member> guests = new LinkedHashMap<>(); // oldest first; guarded by this

    Members(int most) {
        this.most = most;
    }

    int most() {
        return most;
    }

    /** Returns whether there are members only, so that nobody can make room. */
    synchronized boolean isFull() {
        return members.size() >= most;
    }

    /** Takes a connection; returns the guest that must go for it, which is forgotten here, or {@code null}. */
    synchronized @Nullable Channel add(Channel channel, Member session) {
        Channel oldest = members.size() + guests.size() < most ? null : takeOldestGuest();
        if (session.isTrusted()) {
            members.add(channel);
        } else {
            guests.put(channel, session);
        }
        return oldest;
    }

    private @Nullable Channel takeOldestGuest() {
        Iterator<Channel> oldest = guests.keySet().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Channel channel = oldest.next();
        oldest.remove();
        return channel;
    }

    /** A session's user is known: its connections are members from now on. */
    synchronized void trust(Member session) {
        session.setTrusted();
        for (Iterator<Map.Entry<Channel, Member>> all = guests.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Channel, Member> one = all.next();
            if (one.getValue() == session) {
                all.remove();
                members.add(one.getKey());
            }
        }
    }

    /** Forgets a connection that is gone. */
    synchronized void remove(Channel channel) {
        guests.remove(channel);
        members.remove(channel);
    }
}
