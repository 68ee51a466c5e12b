package io.longhaul.broker.artemis;

import java.util.Map;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.apache.activemq.artemis.core.server.ActiveMQServer;

/**
 * The bound of an {@link OrderClock} among what a pair's broker has its backup copy: what is published after a failover wins over
 * what was published before, however much their clocks differ. Written before the manifests that are below it.
 */
record OrderNote(ActiveMQServer server) {
    private static final String MAP = "lh.order";
    private static final String KEY = "bound";

    /** Writes it in the place of the one before. One call at a time. */
    void write(long bound) throws Exception {
        server.getStorageManager().storeKeyValuePair(new PersistedKeyValuePair(MAP, KEY, Long.toString(bound)));
    }

    /** Returns the last one that was written, here or where this was copied from; 0 for none. */
    long read() {
        Map<String, PersistedKeyValuePair> all = server.getStorageManager().getPersistedKeyValuePairs(MAP);
        PersistedKeyValuePair kept = all == null ? null : all.get(KEY); // null where nothing is persistent
        return kept == null ? 0 : Long.parseLong(kept.getValue());
    }
}
