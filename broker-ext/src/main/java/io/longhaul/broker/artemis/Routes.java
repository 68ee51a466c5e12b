package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which neighbour is on the way to what is kept elsewhere in the network. Thread-safe. */
final class Routes {
    private final Map<String, String> neighbours = new ConcurrentHashMap<>();

    /** Returns the address of the queue by which what is meant for one address goes to a neighbour. */
    static String by(String peer, String address) {
        return Addresses.isEndpoint(address) ? Addresses.post(peer) : Addresses.relay(peer);
    }

    /** Says which neighbour is on the way to a queue; empty when nobody else keeps it. */
    void set(String queue, Optional<String> peer) {
        peer.ifPresentOrElse(name -> neighbours.put(queue, name), () -> neighbours.remove(queue));
    }

    /** Returns the neighbour on the way to a queue; empty when nobody else is known to keep it. */
    Optional<String> next(String queue) {
        return Optional.ofNullable(neighbours.get(queue));
    }
}
