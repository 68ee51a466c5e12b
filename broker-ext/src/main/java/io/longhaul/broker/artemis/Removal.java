package io.longhaul.broker.artemis;

import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes neighbours that are gone for good from the others, with their queues. What waits for one was promised to
 * publishers, so it goes only if that is said.
 *
 * <p>To destroy queues takes as long as it takes to read what is in them, so the network does not wait for it; until then
 * the neighbour may not link again. A client that hears nothing asks again, and an operator may: who asks for what is
 * under way, or was done since the launch, hears what is done. Network's thread only.
 */
final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);
    private static final int MOST_REMEMBERED = 1000;

    private final String self;
    private final Map<String, Neighbour> neighbours;
    private final Network network;
    private final Map<String, CompletableFuture<RemovalAnswer>> underWay = new HashMap<>();
    private final Map<String, RemovalAnswer> done = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RemovalAnswer> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** Takes all neighbours by name, as they come and go. */
    Removal(String self, Map<String, Neighbour> neighbours, Network network) {
        this.self = self;
        this.neighbours = neighbours;
        this.network = network;
    }

    /** What waits in queues. */
    private record Waiting(int queues, long frames, long bytes) {
        static Waiting in(List<Queue> queues) {
            long frames = 0;
            long bytes = 0;
            for (Queue queue : queues) {
                frames += queue.getDurableMessageCount();
                bytes += queue.getDurablePersistentSize();
            }
            return new Waiting(queues.size(), frames, bytes);
        }
    }

    boolean isUnderWay(String peer) {
        return underWay.containsKey(peer);
    }

    /** Returns what becomes of the request; ends on the network's thread. */
    CompletableFuture<RemovalAnswer> of(RemovalRequest request) throws Exception {
        String peer = request.broker();
        CompletableFuture<RemovalAnswer> begun = underWay.get(peer);
        if (begun != null) {
            return begun;
        }
        Neighbour neighbour = neighbours.get(peer);
        if (neighbour == null) {
            RemovalAnswer before = done.get(peer);
            return CompletableFuture.completedFuture(before != null ? before : unknown(peer));
        }
        String refusal = neighbour.isUp()
                ? "broker " + peer + " is linked to " + self + " now: stop it, or end its link, first"
                : objection(request, Waiting.in(neighbour.outgoing().all()));
        return refusal.isEmpty()
                ? begin(request, neighbour)
                : CompletableFuture.completedFuture(refused(peer, refusal));
    }

    private CompletableFuture<RemovalAnswer> begin(RemovalRequest request, Neighbour neighbour) throws Exception {
        String peer = request.broker();
        CompletableFuture<RemovalAnswer> outcome = new CompletableFuture<>();
        underWay.put(peer, outcome);
        neighbours.remove(peer);
        neighbour.outlet().whenQuiet(() -> {
            try {
                Waiting gone = Waiting.in(neighbour.outgoing().all());
                String late = objection(request, gone); // what has come since the question
                if (late.isEmpty()) {
                    neighbour.outgoing().destroy();
                    network.execute("removal of " + peer, () -> end(peer, gone));
                } else {
                    network.execute("removal of " + peer, () -> keep(peer, late));
                }
            } catch (Exception | Error e) {
                LOG.warn("{} could not be removed: {}", peer, e.toString());
                network.execute(
                        "removal of " + peer,
                        () -> keep(peer, "broker " + self + " could not free all queues of " + peer + ": " + e));
            }
        });
        network.forget(peer);
        return outcome;
    }

    private void end(String peer, Waiting gone) {
        LOG.warn(
                "{} was removed from the network by an operator; {} frames ({} bytes) that waited for it were given up",
                peer,
                gone.frames(),
                gone.bytes());
        RemovalAnswer answer = new RemovalAnswer(self, peer, "", gone.queues(), gone.frames(), gone.bytes());
        done.remove(peer); // or it would keep its age
        done.put(peer, answer);
        answer(peer, answer);
    }

    /** What is left is on disk, and is kept until somebody asks again. */
    private void keep(String peer, String why) throws Exception {
        answer(peer, refused(peer, why));
        network.restore(peer);
    }

    private void answer(String peer, RemovalAnswer answer) {
        CompletableFuture<RemovalAnswer> begun = underWay.remove(peer);
        if (begun != null) {
            begun.complete(answer);
        }
    }

    private RemovalAnswer unknown(String peer) {
        String all = neighbours.isEmpty() ? "none" : String.join(", ", neighbours.keySet());
        return refused(peer, "broker " + self + " keeps nothing for " + peer + "; its neighbours: " + all);
    }

    private RemovalAnswer refused(String peer, String why) {
        return new RemovalAnswer(self, peer, why, 0, 0, 0);
    }

    private String objection(RemovalRequest request, Waiting waiting) {
        return waiting.frames() == 0 || request.force()
                ? ""
                : "broker " + self + " keeps " + waiting.frames() + " frames (" + waiting.bytes() + " bytes) for "
                        + request.broker() + ", which would be given up: expected --force";
    }
}
