package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.Quotas;
import io.longhaul.wire.Addresses;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.activemq.artemis.core.server.ActiveMQServer;

/** What waits on each topic, as it was seen last. Looked at on the keeper's thread, read on any. */
final class TopicBacklogs implements Quotas.Backlogs {
    static final long PERIOD_MILLIS = 500;

    private final ActiveMQServer server;
    private volatile Map<String, Long> bytes = Map.of();

    TopicBacklogs(ActiveMQServer server) {
        this.server = server;
    }

    /** Looks at all queues; a message that lies in several is on disk once. */
    void look() {
        if (server.getPostOffice() == null || !server.isActive()) {
            return;
        }
        Map<String, Long> seen = new HashMap<>();
        LocalQueues.of(server).forEach(queue -> {
            String address = String.valueOf(queue.getAddress());
            if (address.startsWith(Addresses.TOPIC_PREFIX)) {
                long waiting = queue.getPersistentSize();
                if (waiting > 0) {
                    seen.merge(address.substring(Addresses.TOPIC_PREFIX.length()), waiting, Math::max);
                }
            }
        });
        bytes = seen;
    }

    @Override
    public long bytes(Predicate<String> topics) {
        return bytes.entrySet().stream()
                .filter(each -> topics.test(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
