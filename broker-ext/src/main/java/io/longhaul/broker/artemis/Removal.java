package io.longhaul.broker.artemis;

import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a neighbour that is gone for good from the others, with its queues. What waits for it was promised to publishers,
 * so it goes only if that is said. Network's thread only.
 */
final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

    private final String self;
    private final Map<String, Neighbour> neighbours;

    Removal(String self, Map<String, Neighbour> neighbours) {
        this.self = self;
        this.neighbours = neighbours;
    }

    RemovalAnswer of(RemovalRequest request) throws Exception {
        String peer = request.broker();
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour == null) {
            String all = neighbours.isEmpty() ? "none" : String.join(", ", neighbours.keySet());
            return new RemovalAnswer(
                    self, peer, "broker " + self + " keeps nothing for " + peer + "; its neighbours: " + all, 0, 0, 0);
        }
        List<Queue> queues = neighbour.queues();
        long frames = 0;
        long bytes = 0;
        for (Queue queue : queues) {
            frames += queue.getDurableMessageCount();
            bytes += queue.getDurablePersistentSize();
        }
        String refusal = refusal(request, neighbour, frames, bytes);
        if (refusal.isEmpty()) {
            neighbour.destroy();
            neighbours.remove(peer);
            LOG.warn(
                    "{} was removed from the network by an operator; {} frames ({} bytes) that waited for it were given"
                            + " up",
                    peer,
                    frames,
                    bytes);
        }
        return new RemovalAnswer(self, peer, refusal, queues.size(), frames, bytes);
    }

    private String refusal(RemovalRequest request, Neighbour neighbour, long frames, long bytes) {
        String peer = request.broker();
        if (neighbour.isUp()) {
            return "broker " + peer + " is linked to " + self + " now: stop it, or end its link, first";
        }
        return frames == 0 || request.force()
                ? ""
                : "broker " + self + " keeps " + frames + " frames (" + bytes + " bytes) for " + peer
                        + ", which would be given up: expected --force";
    }
}
