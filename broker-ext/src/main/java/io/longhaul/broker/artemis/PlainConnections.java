package io.longhaul.broker.artemis;

import io.longhaul.ptcp.net.Strangers;
import io.netty.channel.Channel;

/**
 * The connections of one place for plain clients: bounded, since each is an open file, of which the journal needs some.
 * Those without a session are {@link Strangers}. Thread-safe.
 */
final class PlainConnections {
    private final int most;
    private final QuietLog log;
    private final Strangers strangers;
    private int count; // guarded by this

    /** Takes how many there may be. */
    PlainConnections(int most, QuietLog log) {
        this.most = most;
        this.log = log;
        this.strangers = new Strangers(most, ConnectionGuard::isTrusted);
    }

    /** Takes a new one in, for which the oldest stranger may have to go; else closes it and returns false. */
    synchronized boolean enter(Channel channel) {
        Channel oldest = strangers.makeRoom();
        if (oldest != null) {
            drop(oldest, "crowd", "still without a session when too many newer ones came");
        }
        if (count >= most) {
            drop(channel, "full", "more than " + most + " connections");
            return false;
        }
        count++;
        strangers.add(channel);
        channel.closeFuture().addListener(closed -> left(channel));
        return true;
    }

    private synchronized void left(Channel channel) {
        count--;
        strangers.remove(channel);
    }

    private void drop(Channel channel, String kind, String why) {
        log.warn(kind, "connection from " + channel.remoteAddress() + " dropped: " + why);
        channel.close();
    }
}
